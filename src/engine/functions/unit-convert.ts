import { lengthOf, UNIT_SPELLINGS } from '../../core/duration.ts';
import { converted } from '../columns/expression.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { define, optional, unnamed, withDefault } from '../signature/function-spec.ts';
import { formatNumber, parseNumber, type Value } from '../value.ts';

/** A unit such as `MB/min`: its factor to the base unit and, for a rate, to per second. */
interface Unit {
  /** Without prefix and time: `B`. Empty for a prefix alone. */
  readonly base: string;
  readonly prefix: string;
  /** One of this unit is `numerator / denominator` base units; a fraction keeps 514 ms at 0.514. */
  readonly numerator: number;
  readonly denominator: number;
  /** `min` in `MB/min`; `undefined` if it is not a rate. */
  readonly time: string | undefined;
}

interface UnitOptions {
  /** Whether k, M, G … are powers of 1024. */
  readonly binary: boolean;
  /** The base unit, if its name could be read as a prefix. */
  readonly base: string | undefined;
}

const LARGE = 'kMGTPEZY';
const SMALL = 'munpfazy';
const DECIMAL: ReadonlyMap<string, number> = new Map([
  ...[...LARGE].map((letter, index): [string, number] => [letter, 3 * (index + 1)]),
  ...[...SMALL].map((letter, index): [string, number] => [letter, -3 * (index + 1)]),
  ...Object.entries({ K: 3, h: 2, da: 1, d: -1, c: -2, µ: -6 }),
]);
const BINARY: ReadonlyMap<string, number> = new Map(
  [...LARGE].map((letter, index) => [`${letter.toUpperCase()}i`, 1024 ** (index + 1)]),
);

/** Longer text is not a quantity; splitting takes quadratic time. */
const MAX_TEXT_LENGTH = 200;
const QUANTITY = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*(\S*)\s*$/;

/** Splits `5 MB`; the unit of a plain number is empty. */
function splitQuantity(text: string): { readonly amount: number; readonly unit: string } | undefined {
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, digits = '', unit = ''] = QUANTITY.exec(text) ?? [];
  const amount = parseNumber(digits);
  return amount === undefined ? undefined : { amount, unit };
}

/** Parses `B`, `MB`, `k`, `hits/min`, preferring the longest prefix; `undefined` if the text is not a unit. */
function readUnitOf(text: string, { binary, base }: UnitOptions): Unit | undefined {
  const [name = '', time, ...more] = text.split('/');
  const timeUnit = UNIT_SPELLINGS.get(time ?? 's');
  if (timeUnit === undefined || more.length > 0 || (base !== undefined && !name.endsWith(base)))
    return undefined;
  const longest = [name.slice(0, 2), name.slice(0, 1)].find((one) => DECIMAL.has(one) || BINARY.has(one));
  const prefix = base === undefined ? (longest ?? '') : name.slice(0, name.length - base.length);
  const factor = prefixFactor(prefix, binary);
  if (factor === undefined) return undefined;
  const [numerator, denominator] = factor;
  return {
    base: name.slice(prefix.length),
    prefix,
    numerator,
    denominator: (denominator * lengthOf({ count: 1, unit: timeUnit })) / 1000,
    time,
  };
}

function prefixFactor(prefix: string, binary: boolean): readonly [number, number] | undefined {
  if (prefix === '') return [1, 1];
  const power = BINARY.get(prefix) ?? (binary ? BINARY.get(`${prefix.replace('k', 'K')}i`) : undefined);
  if (power !== undefined) return [power, 1];
  const exponent = DECIMAL.get(prefix);
  if (exponent === undefined) return undefined;
  return exponent > 0 ? [10 ** exponent, 1] : [1, 10 ** -exponent];
}

/** `undefined` if the units measure different things. */
function convertAmount(amount: number, from: Unit, to: Unit): number | undefined {
  const isSame = from.base === to.base || from.base === '' || to.base === '';
  // A rate without a time unit is per second.
  if (!isSame || (to.time !== undefined && from.time === undefined)) return undefined;
  return (amount * from.numerator * to.denominator) / (from.denominator * to.numerator);
}

/**
 * Converts a quantity such as `5 MB` to another unit, or to a number of its base unit. Rates become rates per second.
 */
export const unitConvert = define.value({
  name: 'unit:convert',
  output: ({ field }) => field,
  uncertain: [
    '`keepUnit=true` writes a space between the number and the unit.',
    'A unit is any string after an optional prefix: B and bytes are different units, h alone means hundred, and min is a thousandth of "in". Among time units, only s accepts a prefix.',
    'A value in an incompatible unit produces no result.',
    'K is the same as k.',
  ],
  parameters: {
    field: unnamed(fieldName),
    from: optional(text),
    to: optional(text),
    unit: optional(text),
    binary: withDefault(flag, false),
    keepUnit: withDefault(flag, false),
  },
  compile({ field, from, to, unit: base, binary, keepUnit }, call) {
    const options: UnitOptions = { binary, base };
    const source = from === undefined ? undefined : readUnitArgument(from, options, 'from', call);
    const target =
      to === undefined ? undefined : readUnitArgument(to, { binary, base: undefined }, 'to', call);
    const unitless = base === undefined ? readUnitOf('', options) : undefined;
    const unitOf = (name: string): Unit | undefined =>
      name === '' ? (source ?? unitless) : readUnitOf(name, options);
    return converted(field, (value) => {
      const quantity = splitQuantity(value);
      const unit = quantity && unitOf(quantity.unit);
      return unit && convert(quantity.amount, unit, target, keepUnit);
    });
  },
});

function readUnitArgument(name: string, options: UnitOptions, parameter: string, call: CallSite): Unit {
  const problem = `unit:convert() does not know the unit "${name}": write a unit such as B, MB, Gi or hits/min`;
  return readUnitOf(name, options) ?? call.fail(problem, parameter);
}

function convert(amount: number, from: Unit, target: Unit | undefined, keepUnit: boolean): Value {
  const { base, time: rate } = from;
  // Without a prefix; a rate is per second.
  const to = target ?? { base, prefix: '', numerator: 1, denominator: 1, time: rate && 's' };
  const converted = convertAmount(amount, from, to);
  if (converted === undefined || !keepUnit) return converted;
  const time = to.time === undefined ? '' : `/${to.time}`;
  return `${formatNumber(converted)} ${to.prefix}${to.base || from.base}${time}`.trimEnd();
}
