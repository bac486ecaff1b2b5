import { type Fields, readField } from '../event.ts';
import { type ArgumentType, readText } from '../signature/argument-types.ts';
import { parseNumber } from '../value.ts';

/** The number that an argument stands for in a row; `undefined` when there is none. */
export type ReadNumber = (row: Fields) => number | undefined;

/** A number, or the name of a field that holds one. */
export const numberOrField: ArgumentType<ReadNumber> = {
  expects: 'a number or the name of a field',
  isList: false,
  read(node, scope) {
    const text = readText(node, scope);
    if (text === undefined) return undefined;
    const number = parseNumber(text);
    return number === undefined ? fieldNumber(text) : () => number;
  },
};

/** The number in a field. */
export function fieldNumber(name: string): ReadNumber {
  return (row) => {
    const value = readField(row, name);
    return value === undefined ? undefined : parseNumber(value);
  };
}
