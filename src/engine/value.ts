import { DOT, NINE, ZERO } from '../core/ascii.ts';

/** The value of an expression. `undefined` is null: a missing field, or no result. */
export type Value = string | number | boolean | undefined;

/**
 * Parses a number: an optional sign, digits with an optional fraction, an optional exponent. `undefined` if the text is
 * not a number, has whitespace around it, or is out of range.
 */
export function parseNumber(text: string): number | undefined {
  return shortNumber(text) ?? anyNumber(text);
}

const MAX_EXACT_DIGITS = 15;
const POWERS = Array.from({ length: MAX_EXACT_DIGITS + 1 }, (_, digits) => 10 ** digits);

/** A number of few digits, four times as fast as {@link anyNumber}: the quotient of two exact numbers is rounded once. */
function shortNumber(text: string): number | undefined {
  const { length } = text;
  if (length > MAX_EXACT_DIGITS || length === 0) return undefined;
  let number = 0;
  let decimals = 0;
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index);
    if (code >= ZERO && code <= NINE) number = number * 10 + code - ZERO;
    else if (code === DOT && decimals === 0 && index < length - 1) decimals = length - 1 - index;
    else return undefined;
  }
  return decimals === 0 ? number : number / POWERS[decimals]!;
}

function anyNumber(text: string): number | undefined {
  const last = text.charCodeAt(text.length - 1);
  // NaN (the empty string) fails this comparison, and so do whitespace and Infinity.
  if (!((last >= ZERO && last <= NINE) || last === DOT)) return undefined;
  const first = text.charCodeAt(0);
  if (first > NINE || first < 43 || first === 44 || first === 47) return undefined;
  const number = +text;
  if (!Number.isFinite(number)) return undefined;
  // 0x1F, 0b1 and 0o7 are numbers in JavaScript only.
  return first === ZERO && text.charCodeAt(1) > NINE && !/^0e/i.test(text) ? undefined : number;
}

export function toNumber(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** `true` and `false` are also booleans as strings. */
export function toBoolean(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** The string that is stored in a field; `undefined` leaves the field unchanged. */
export function toText(value: Value): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? formatNumber(value) : undefined;
  return typeof value === 'boolean' ? String(value) : value;
}

/**
 * Formats a number like the service: integers without a fraction, others with the fewest digits that identify them,
 * very small and very large ones as `9.8E-5`.
 */
export function formatNumber(number: number): string {
  const magnitude = Math.abs(number);
  if (magnitude >= 1e21 || (magnitude < 1e-3 && magnitude > 0)) {
    const [digits = '', exponent = ''] = number.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
  }
  return String(number === 0 ? 0 : number);
}
