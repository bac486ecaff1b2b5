// Symbols that all versions and copies of winston share.
export const LEVEL = Symbol.for('level');
export const MESSAGE = Symbol.for('message');
export const SPLAT = Symbol.for('splat');
