import type { Column, TakeEvent } from './event-table.ts';

/** A test of the event at an index; a boolean if the result is the same for all events. */
export type EventTest = ((index: number) => boolean) | boolean;

/** Up to this many distinct values are tested up front, to skip tables in which none matches. */
const FEW_VALUES = 16;

const UNKNOWN = 0;
const TRUE = 1;
const FALSE = 2;

/** Tests each distinct value of a column once. */
export function columnTest(column: Column, test: (value: string | undefined) => boolean): EventTest {
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

export function allTests(tests: readonly EventTest[]): EventTest {
  if (tests.includes(false)) return false;
  const left = tests.filter((test) => typeof test === 'function');
  const [first, second] = left;
  if (first === undefined) return true;
  if (second === undefined) return first;
  return (index) => left.every((test) => test(index));
}

export function someTest(tests: readonly EventTest[]): EventTest {
  return notTest(allTests(tests.map(notTest)));
}

/** Takes only the events that pass a test; `undefined` if none does. */
export function takeWhere(test: EventTest, take: TakeEvent | undefined): TakeEvent | undefined {
  if (test === false || take === undefined) return undefined;
  if (test === true) return take;
  return (index) => {
    if (test(index)) take(index);
  };
}
