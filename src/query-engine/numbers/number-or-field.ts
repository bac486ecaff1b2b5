import { type Fields, readField } from '../event.ts';
import { type ArgumentType, readText } from '../signature/argument-types.ts';
import { parseNumber } from '../value.ts';

/** The number that an argument stands for in a row; `undefined` when there is none. */
export interface ReadNumber {
  (row: Fields): number | undefined;
  /** The fields that it looks at. */
  readonly reads: readonly string[];
}

/** A number, or the name of a field that holds one. */
export const numberOrField: ArgumentType<ReadNumber> = {
  expects: 'a number or a field name',
  isList: false,
  read(node, scope) {
    const text = readText(node, scope);
    if (text === undefined) return undefined;
    const number = parseNumber(text);
    return number === undefined ? fieldNumber(text) : constantNumber(number);
  },
  fieldsOf: ({ reads }) => reads,
};

/** The number in a field. */
export function fieldNumber(name: string): ReadNumber {
  const read = (row: Fields): number | undefined => {
    const value = readField(row, name);
    return value === undefined ? undefined : parseNumber(value);
  };
  return Object.assign(read, { reads: [name] });
}

/** The same number in every row. */
export function constantNumber(number: number): ReadNumber {
  return Object.assign(() => number, { reads: [] });
}
