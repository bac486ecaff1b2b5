import { arrayName } from '../arrays/array-arguments.ts';
import { ArrayFields } from '../arrays/array-fields.ts';
import { type Fields, readField, writeField } from '../event.ts';
import { editStep, unknownColumns } from '../operators/row-code.ts';
import { type ArgumentType, fieldName, flag, listOf, text } from '../signature/argument-types.ts';
import { define, required, withDefault } from '../signature/function-spec.ts';
import { joinTexts } from '../text/text-limit.ts';
import { parseNumber } from '../value.ts';

/** Far more digits than any bit field has; parsing very long numbers is slow. */
const MAX_DIGITS = 1000;

/** The lowest 64 bits of an integer, in two's complement if negative; `undefined` for anything else. */
function readBits(text: string): bigint | undefined {
  if (/^[+-]?\d+$/.test(text) && text.length <= MAX_DIGITS)
    return BigInt.asUintN(64, BigInt(text.replace('+', '')));
  const number = parseNumber(text);
  if (number === undefined || !Number.isInteger(number)) return undefined;
  return BigInt.asUintN(64, BigInt(number));
}

/** A bit (0 is the lowest) and its name. */
interface NamedBit {
  readonly mask: bigint;
  readonly name: string;
}

const pair = listOf(text);

/** `[[0, READ], [3, WRITE]]`: distinct bits and names, sorted from the lowest bit. */
const namedBits: ArgumentType<readonly NamedBit[]> = {
  expects: 'an array of unique [bit, name] pairs with bits from 0 to 63, such as [[0, READ], [3, WRITE]]',
  read(node, scope) {
    if (node.kind !== 'Array') return undefined;
    const names = new Map<number, string>();
    for (const element of node.elements) {
      const [bit = '', name, ...more] = (element.kind === 'Array' && pair.read(element, scope)) || [];
      if (!/^(?:\d|[1-5]\d|6[0-3])$/.test(bit) || name === undefined || more.length > 0) return undefined;
      names.set(Number(bit), name);
    }
    const areUnique = names.size === node.elements.length && new Set(names.values()).size === names.size;
    if (!areUnique) return undefined;
    return [...names].sort(([a], [b]) => a - b).map(([bit, name]) => ({ mask: 1n << BigInt(bit), name }));
  },
};

/** Sets a field to `true` or `false` for each named bit of a number. */
export const bitfieldExtractFlags = define.transform({
  name: 'bitfield:extractFlags',
  parameters: { field: required(fieldName), output: required(namedBits), onlyTrue: withDefault(flag, false) },
  compile: ({ field, output, onlyTrue }) =>
    editStep(
      (row) => {
        const bits = readBits(readField(row, field) ?? '');
        if (bits === undefined) return;
        for (const { mask, name } of output) {
          const isSet = (bits & mask) !== 0n;
          if (isSet || !onlyTrue) writeField(row, name, String(isSet));
        }
      },
      output.map(({ name }) => name),
    ),
});

/** Writes the names of the set bits to an array, lowest bit first. */
export const bitfieldExtractFlagsAsArray = define.transform({
  name: 'bitfield:extractFlagsAsArray',
  parameters: {
    field: required(fieldName),
    flagNames: required(namedBits),
    asArray: withDefault(arrayName, new ArrayFields('_flags')),
  },
  compile: ({ field, flagNames, asArray }) =>
    editStep((row) => {
      const names = setFlags(row, field, flagNames);
      if (names !== undefined) asArray.replace(row, names);
    }, unknownColumns),
});

/** The names of the set bits, lowest bit first; an empty string if none is set. */
export const bitfieldExtractFlagsAsString = define.value({
  name: 'bitfield:extractFlagsAsString',
  output: '_flags',
  parameters: {
    field: required(fieldName),
    flagNames: required(namedBits),
    separator: withDefault(text, ' '),
  },
  compile:
    ({ field, flagNames, separator }) =>
    (row) => {
      const names = setFlags(row, field, flagNames);
      return names && joinTexts(names, separator);
    },
});

/** The names of the set bits; `undefined` without a number. */
function setFlags(row: Fields, field: string, flagNames: readonly NamedBit[]): string[] | undefined {
  const bits = readBits(readField(row, field) ?? '');
  if (bits === undefined) return undefined;
  return flagNames.filter(({ mask }) => (bits & mask) !== 0n).map(({ name }) => name);
}
