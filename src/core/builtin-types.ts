import { tryOr } from './try-or.ts';

// Unlike `instanceof`, these recognize objects of another realm, such as those of Jest, `vm` and iframes.

export function isDate(value: unknown): value is Date {
  if (typeof value !== 'object' || value === null) return false;
  return tryOr(false, () => typeof Date.prototype.getTime.call(value) === 'number');
}

export function isRegExp(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]';
}

/** Also true for a `Buffer`. */
export function isUint8Array(value: unknown): value is Uint8Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]';
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as { then?: unknown } | null | undefined)?.then === 'function';
}
