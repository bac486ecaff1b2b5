import { readField } from '../event.ts';
import { fieldName, integer, oneOf } from '../signature/argument-types.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { parseNumber } from '../value.ts';

const UNITS = ['ns', 'us', 'ms', 's', 'm', 'h', 'd'] as const;

/** How many of a unit make one of the next. */
const PER_NEXT: Readonly<Record<(typeof UNITS)[number], number>> = {
  ns: 1000,
  us: 1000,
  ms: 1000,
  s: 60,
  m: 60,
  h: 24,
  d: Number.POSITIVE_INFINITY,
};

/**
 * A whole number of some unit of time as `6h30m52s`, with at most `precision` units. Units of which there are none
 * are left out.
 */
export const formatDuration = defineValue({
  name: 'formatDuration',
  output: ({ field }) => field,
  uncertain: [
    'Units with the value 0 are omitted and do not count toward `precision`.',
    'A duration of 0 is printed as 0 in the unit given by `from`.',
  ],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    from: withDefault(oneOf(...UNITS), 'ms'),
    precision: withDefault(integer({ min: 0, max: UNITS.length }), 0),
    as: optional(fieldName),
  },
  compile({ field, from, precision }) {
    const units = UNITS.slice(UNITS.indexOf(from));
    return (row) => {
      const value = readField(row, field);
      const amount = value === undefined ? undefined : parseNumber(value);
      if (amount === undefined || !Number.isSafeInteger(amount)) return undefined;
      const parts = splitDuration(Math.abs(amount), units);
      const shown = precision === 0 ? parts : parts.slice(0, precision);
      return (amount < 0 ? '-' : '') + (shown.join('') || `0${from}`);
    };
  },
});

/** `['6h', '30m']`, the largest unit first. */
function splitDuration(amount: number, units: readonly (typeof UNITS)[number][]): string[] {
  const parts: string[] = [];
  let rest = amount;
  for (const unit of units) {
    const count = PER_NEXT[unit] === Number.POSITIVE_INFINITY ? rest : rest % PER_NEXT[unit];
    if (count > 0) parts.unshift(`${count}${unit}`);
    rest = Math.floor(rest / PER_NEXT[unit]);
  }
  return parts;
}
