import { type Fields, readField } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { parseNumber } from '../value.ts';
import type { Column, EventTable } from './event-table.ts';

/** A test of the event at an index; a boolean where it is the same for all of them. */
export type EventTest = ((index: number) => boolean) | boolean;

/** A test that looks at columns instead of rows. Steps before it must not have changed anything. */
export interface ColumnTest {
  /** The test for the events of a table. */
  inTable(table: EventTable, run: RunScope): EventTest;
  /** The fields that it looks at; `undefined` for any. */
  readonly reads: readonly string[] | undefined;
}

/** So few different values are looked at before the first event: then a whole table may turn out to be of no interest. */
const FEW_VALUES = 16;

type TestValue = (value: string | undefined) => boolean;

/** A test of one field, for rows and for columns. */
export function fieldTest(name: string, test: TestValue): ((row: Fields) => boolean) & ColumnTest {
  return withColumns((row: Fields) => test(readField(row, name)), {
    reads: [name],
    inTable: (table) => columnTest(table.column(name), test),
  });
}

/** A test of the number in a field, for rows and for columns. Without a number it fails. */
export function numberTest(
  name: string,
  test: (number: number) => boolean,
): ((row: Fields) => boolean) & ColumnTest {
  const testValue = (value: string | undefined): boolean => {
    const number = value === undefined ? undefined : parseNumber(value);
    return number !== undefined && test(number);
  };
  return withColumns((row: Fields) => testValue(readField(row, name)), {
    reads: [name],
    inTable(table) {
      const column = table.column(name);
      if (column.distinct !== undefined) return columnTest(column, testValue);
      const numberAt = column.numberReader();
      return (index) => {
        const number = numberAt(index);
        return !Number.isNaN(number) && test(number);
      };
    },
  });
}

/** Tells a test of rows how to look at columns. */
export function withColumns<Test extends object>(test: Test, columns: ColumnTest): Test & ColumnTest {
  return Object.assign(test, columns);
}

const UNKNOWN = 0;
const TRUE = 1;
const FALSE = 2;

/** Tests each different value of a column once. */
export function columnTest(column: Column, test: TestValue): EventTest {
  if (column.distinct === undefined) return (index) => test(column.at(index));
  const { count, idAt, values } = column.distinct;
  const verdicts = new Uint8Array(count);
  if (values !== undefined && count <= FEW_VALUES) {
    for (const [id, value] of values.entries()) verdicts[id] = test(value) ? TRUE : FALSE;
    if (!verdicts.includes(TRUE)) return false;
    if (!verdicts.includes(FALSE)) return true;
  }
  return (index) => {
    const id = idAt(index);
    if (verdicts[id] === UNKNOWN) verdicts[id] = test(column.at(index)) ? TRUE : FALSE;
    return verdicts[id] === TRUE;
  };
}

export function notTest(test: EventTest): EventTest {
  return typeof test === 'boolean' ? !test : (index) => !test(index);
}

/** Whether all tests hold. */
export function allTests(tests: readonly EventTest[]): EventTest {
  if (tests.includes(false)) return false;
  const left = tests.filter((test) => typeof test === 'function');
  const [first, second] = left;
  if (first === undefined) return true;
  if (second === undefined) return first;
  if (left.length === 2) return (index) => first(index) && second(index);
  return (index) => left.every((test) => test(index));
}

/** Whether some test holds. */
export function someTest(tests: readonly EventTest[]): EventTest {
  return notTest(allTests(tests.map(notTest)));
}

/** The fields that all of these read together; `undefined` for any. */
export function readsOfAll(
  readers: readonly { readonly reads?: readonly string[] | undefined }[],
): readonly string[] | undefined {
  const all = readers.map(({ reads }) => reads);
  return all.includes(undefined) ? undefined : [...new Set(all.flatMap((names) => names ?? []))];
}
