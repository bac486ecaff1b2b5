import { parseNumber } from '../value.ts';

/** No field that holds flags has more digits, and reading very many takes very long. */
const MAX_DIGITS = 1000;

/** The lowest 64 bits of a whole number, a negative one as its two's complement; `undefined` for anything else. */
export function readBits(text: string): bigint | undefined {
  if (/^[+-]?\d+$/.test(text) && text.length <= MAX_DIGITS)
    return BigInt.asUintN(64, BigInt(text.replace('+', '')));
  const number = parseNumber(text);
  if (number === undefined || !Number.isInteger(number)) return undefined;
  return BigInt.asUintN(64, BigInt(number));
}
