const POWERS_OF_TEN = Array.from({ length: 16 }, (_, power) => 10 ** power);
const ZERO = 48;
const NINE = 57;
const MINUS = 45;
const DOT = 46;

/**
 * Reads digits with an optional sign and fraction without cutting them out. Up to 15 digits and the power of ten below
 * them are exact as doubles, and so their quotient is the double that is nearest.
 *
 * @returns `undefined` for anything else, which may be a number all the same.
 */
export function plainNumberAt(text: string, start: number, end: number): number | undefined {
  const isNegative = text.charCodeAt(start) === MINUS;
  const first = isNegative ? start + 1 : start;
  let digits = 0;
  let dot = -1;
  for (let at = first; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= NINE) digits = digits * 10 + (code - ZERO);
    else if (code === DOT && dot === -1 && at > first && at < end - 1) dot = at;
    else return undefined;
  }
  const length = end - first - (dot === -1 ? 0 : 1);
  if (length < 1 || length > 15) return undefined;
  const number = dot === -1 ? digits : digits / POWERS_OF_TEN[end - dot - 1]!;
  return isNegative ? -number : number;
}
