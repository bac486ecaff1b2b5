import { safeProperty, throwsText } from '../record/safe-json.ts';

/** Copies own fields except `level` and functions: a field `toJSON` would replace all others. Never throws. */
export function addFields(record: Record<string, unknown>, source: object): void {
  try {
    for (const name of Object.keys(source)) {
      if (name === 'level') continue;
      const value = safeProperty(source, name);
      if (typeof value !== 'function') define(record, name, value);
    }
  } catch (error) {
    record.message ??= throwsText(error); // A proxy.
  }
}

/** Plain assignment to `__proto__` would change the prototype. */
function define(target: object, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (target as Record<string, unknown>)[name] = value;
  }
}
