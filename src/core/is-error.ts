import { tryOr } from './try-or.ts';

/**
 * True for errors of any realm: under Jest, the errors of Node's own modules are not instances of the global `Error`.
 * Never throws.
 */
export function isError(value: unknown): value is Error {
  return tryOr(false, () => value instanceof Error || hasErrorPrototype(value)); // A proxy may throw.
}

/** `types.isNativeError` does not know `DOMException`, nor classes that were written without `class`. */
function hasErrorPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return false;
  const isOwn = Object.hasOwn(prototype, 'constructor') && prototype.constructor.name === 'Error';
  return isOwn || hasErrorPrototype(prototype);
}
