import { parseNumber } from '../value.ts';

/** A unit such as `MB/min`: how many of its base unit, and for a rate how many per second, it stands for. */
export interface Unit {
  /** Without prefix and time: `B`. Empty for a prefix that stands alone. */
  readonly base: string;
  readonly prefix: string;
  /** One of this unit is `numerator / denominator` of its base; a fraction keeps 514 ms at 0.514. */
  readonly numerator: number;
  readonly denominator: number;
  /** `min` of `MB/min`; `undefined` when it is not a rate. */
  readonly time: string | undefined;
}

export interface UnitOptions {
  /** Whether k, M, G … are powers of 1024. */
  readonly binary: boolean;
  /** The base unit, for one that begins like a prefix. */
  readonly base: string | undefined;
}

const LARGE = 'kMGTPEZY';
const DECIMAL: ReadonlyMap<string, number> = new Map([
  ...[...LARGE].map((letter, index): [string, number] => [letter, 3 * (index + 1)]),
  ['K', 3],
  ['h', 2],
  ['da', 1],
  ['d', -1],
  ['c', -2],
  ['m', -3],
  ['u', -6],
  ['µ', -6],
  ['n', -9],
  ['p', -12],
  ['f', -15],
  ['a', -18],
  ['z', -21],
  ['y', -24],
]);
const BINARY: ReadonlyMap<string, number> = new Map(
  [...LARGE].map((letter, index) => [`${letter.toUpperCase()}i`, 1024 ** (index + 1)]),
);
/** What `binary` makes of the decimal prefixes. */
const BINARY_BY_LETTER: ReadonlyMap<string, number> = new Map([
  ...[...LARGE].map((letter, index): [string, number] => [letter, 1024 ** (index + 1)]),
  ['K', 1024],
]);
const SECONDS: ReadonlyMap<string, number> = new Map([
  ['s', 1],
  ['sec', 1],
  ['m', 60],
  ['min', 60],
  ['h', 3600],
  ['hour', 3600],
  ['d', 86_400],
  ['day', 86_400],
  ['w', 604_800],
  ['week', 604_800],
]);

/** A longer text is no quantity; taking one apart takes time that grows with the square of its length. */
const MAX_TEXT_LENGTH = 200;
const QUANTITY = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\S*)\s*$/;

/** Takes `5 MB` apart; the unit of a mere number is empty. */
export function splitQuantity(text: string): { readonly amount: number; readonly unit: string } | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, digits = '', unit = ''] = QUANTITY.exec(text) ?? [];
  const amount = parseNumber(digits);
  return amount === undefined ? undefined : { amount, unit };
}

/** Reads `B`, `MB`, `k`, `hits/min`. The longest prefix counts; `undefined` when the text is no unit. */
export function readUnitOf(text: string, { binary, base }: UnitOptions): Unit | undefined {
  const [name = '', time, ...more] = text.split('/');
  const seconds = time === undefined ? 1 : SECONDS.get(time);
  if (seconds === undefined || more.length > 0 || (base !== undefined && !name.endsWith(base)))
    return undefined;
  const prefix = base === undefined ? longestPrefix(name) : name.slice(0, name.length - base.length);
  const factor = prefixFactor(prefix, binary);
  if (factor === undefined) return undefined;
  const [numerator, denominator] = factor;
  return {
    base: name.slice(prefix.length),
    prefix,
    numerator,
    denominator: denominator * seconds,
    time,
  };
}

function longestPrefix(name: string): string {
  const candidates = [name.slice(0, 2), name.slice(0, 1)];
  return candidates.find((candidate) => DECIMAL.has(candidate) || BINARY.has(candidate)) ?? '';
}

function prefixFactor(prefix: string, binary: boolean): readonly [number, number] | undefined {
  if (prefix === '') return [1, 1];
  const power = BINARY.get(prefix) ?? (binary ? BINARY_BY_LETTER.get(prefix) : undefined);
  if (power !== undefined) return [power, 1];
  const exponent = DECIMAL.get(prefix);
  if (exponent === undefined) return undefined;
  return exponent > 0 ? [10 ** exponent, 1] : [1, 10 ** -exponent];
}

/** An amount in another unit. `undefined` when the two measure different things. */
export function convertAmount(amount: number, from: Unit, to: Unit): number | undefined {
  const isSame = from.base === to.base || from.base === '' || to.base === '';
  // A rate is one per second where the other unit doesn't say.
  if (!isSame || (to.time !== undefined && from.time === undefined)) return undefined;
  return (amount * from.numerator * to.denominator) / (from.denominator * to.numerator);
}
