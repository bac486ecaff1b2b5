import { readField } from '../event.ts';
import {
  convertAmount,
  readUnitOf,
  splitQuantity,
  type Unit,
  type UnitOptions,
} from '../numbers/quantity.ts';
import { fieldName, flag, text } from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineValue, optional, required, withDefault } from '../signature/function-spec.ts';
import { formatNumber, type Value } from '../value.ts';

/** Writes a quantity such as `5 MB` in another unit, or as a number of its base unit. Rates become rates per second. */
export const unitConvert = defineValue({
  name: 'unit:convert',
  output: ({ field }) => field,
  uncertain: [
    '`keepUnit=true` writes a space between the number and the unit.',
    'A unit is any string after an optional prefix: B and bytes are different units, h alone means hundred, and min is a thousandth of "in". Among time units, only s accepts a prefix.',
    'A value in an incompatible unit produces no result.',
    'K is the same as k.',
  ],
  parameters: {
    field: required(fieldName, { unnamed: true }),
    from: optional(text),
    to: optional(text),
    unit: optional(text),
    binary: withDefault(flag, false),
    keepUnit: withDefault(flag, false),
    as: optional(fieldName),
  },
  compile({ field, from, to, unit: base, binary, keepUnit }, call) {
    const options: UnitOptions = { binary, base };
    const source = from === undefined ? undefined : readUnitArgument(from, options, 'from', call);
    const target =
      to === undefined ? undefined : readUnitArgument(to, { binary, base: undefined }, 'to', call);
    const unitless = base === undefined ? readUnitOf('', options) : undefined;
    const units = new Map<string, Unit | undefined>([['', source ?? unitless]]);
    const unitOf = (name: string): Unit | undefined => {
      if (!units.has(name) && units.size < MAX_KNOWN_UNITS) units.set(name, readUnitOf(name, options));
      return units.has(name) ? units.get(name) : readUnitOf(name, options);
    };
    return (row) => {
      const value = readField(row, field);
      const quantity = value === undefined ? undefined : splitQuantity(value);
      const unit = quantity && unitOf(quantity.unit);
      return unit && convert(quantity.amount, unit, target, keepUnit);
    };
  },
});

/** Values rarely come in more units than these; each is read once. */
const MAX_KNOWN_UNITS = 100;

function readUnitArgument(name: string, options: UnitOptions, parameter: string, call: CallSite): Unit {
  return (
    readUnitOf(name, options) ??
    call.fail(
      `unit:convert() does not know the unit "${name}": write a unit such as B, MB, Gi or hits/min`,
      parameter,
    )
  );
}

function convert(amount: number, from: Unit, target: Unit | undefined, keepUnit: boolean): Value {
  const to = target ?? normalUnit(from);
  const converted = convertAmount(amount, from, to);
  if (converted === undefined || !keepUnit) return converted;
  const time = to.time === undefined ? '' : `/${to.time}`;
  return `${formatNumber(converted)} ${to.prefix}${to.base || from.base}${time}`.trimEnd();
}

/** Without prefix, and a rate per second. */
function normalUnit({ base, time }: Unit): Unit {
  return { base, prefix: '', numerator: 1, denominator: 1, time: time === undefined ? undefined : 's' };
}
