import { parseNumber } from '../../query-engine/index.ts';
import type { FieldReader } from './event-batch.ts';
import type { ValueDictionary } from './value-dictionary.ts';

/** A field whose values are only known as texts of their own. */
export class TextReader implements FieldReader {
  readonly valueAt: (index: number) => string | undefined;

  constructor(valueAt: (index: number) => string | undefined) {
    this.valueAt = valueAt;
  }

  numberAt(index: number): number {
    return numberOf(this.valueAt(index));
  }

  idAt(index: number, dictionary: ValueDictionary): number {
    return dictionary.idOf(this.valueAt(index));
  }
}

/** A value as a number; `NaN` when it is missing or none. */
export function numberOf(value: string | undefined): number {
  return (value === undefined ? undefined : parseNumber(value)) ?? Number.NaN;
}

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
