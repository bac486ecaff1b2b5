/** What an expression yields. `undefined` is the language's null: a missing field, or a result that doesn't exist. */
export type Value = string | number | boolean | undefined;

const ZERO = 48;
const NINE = 57;
const DOT = 46;

/**
 * Reads text as a number: an optional sign, digits with an optional fraction, an optional exponent. Text that is
 * not a number, padded with whitespace or beyond a double's range gives `undefined`.
 */
export function parseNumber(text: string): number | undefined {
  const last = text.charCodeAt(text.length - 1);
  // NaN (the empty text) fails this comparison, as do padding and the names of infinity.
  if (!((last >= ZERO && last <= NINE) || last === DOT)) return undefined;
  const first = text.charCodeAt(0);
  if (first > NINE || first < 43 || first === 44 || first === 47) return undefined;
  const number = +text;
  if (!Number.isFinite(number)) return undefined;
  // 0x1F, 0b1 and 0o7 are numbers to JavaScript only.
  return first === ZERO && text.charCodeAt(1) > NINE && !/^0e/i.test(text) ? undefined : number;
}

export function toNumber(value: Value): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' ? parseNumber(value) : undefined;
}

/** Booleans are the texts `true` and `false`. */
export function toBoolean(value: Value): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true') return true;
  return value === 'false' ? false : undefined;
}

/** The text that a value becomes in a field; `undefined` where the field is left alone. */
export function toText(value: Value): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? formatNumber(value) : undefined;
  return typeof value === 'boolean' ? String(value) : value;
}

/**
 * Writes a number the way the service does: whole ones without a fraction, others with as few digits as tell them
 * apart, very small and very large ones as `9.8E-5`.
 */
export function formatNumber(number: number): string {
  const magnitude = Math.abs(number);
  if (magnitude >= 1e21 || (magnitude < 1e-3 && magnitude > 0)) {
    const [digits = '', exponent = ''] = number.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`;
  }
  return String(number === 0 ? 0 : number);
}
