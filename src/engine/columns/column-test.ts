import type { RunScope } from '../run/run-context.ts';
import type { Column, OfEvent, TakeEvent } from './event-table.ts';

/** The result of a test; `undefined` if it is undecided, because a regular expression has spent its budget. */
export type Verdict = boolean | undefined;

/** A search in strings. */
export interface TextSearch {
  test(text: string, run: RunScope): Verdict;
  /** A string that every match contains; empty if none is known. */
  readonly literal: string;
}

/** A test of the event at an index; a boolean if the result is the same for all events. */
export type EventTest = OfEvent<Verdict> | boolean;

/** Up to this many distinct values are tested up front, to skip tables in which none matches. */
const FEW_VALUES = 16;

/** Tests each distinct value of a column once. */
export function columnTest(
  column: Column,
  test: (value: string | undefined, run: RunScope) => Verdict,
  run: RunScope,
): EventTest {
  if (column.distinct === undefined) return (index) => test(column.at(index), run);
  const { count, idAt, values } = column.distinct;
  if (values !== undefined && count <= FEW_VALUES) {
    const all = values.map((value) => test(value, run));
    const [first] = all;
    if (first !== undefined && all.every((verdict) => verdict === first)) return first;
    return (index) => all[idAt(index)];
  }
  const verdicts = new Array<Verdict | null>(count).fill(null);
  return (index) => {
    const id = idAt(index);
    let verdict = verdicts[id];
    if (verdict === null) {
      verdict = test(column.at(index), run);
      verdicts[id] = verdict;
    }
    return verdict;
  };
}

/** Whether the value of a column exists and matches. Doesn't read values that can't contain the literal of the search. */
export function searchTest(column: Column, search: TextSearch, run: RunScope): EventTest {
  if (column.distinct === undefined) {
    const source = column.glance === undefined ? column : { at: column.glance };
    const mayMatch = mayContain(column, search);
    const test = (index: number): Verdict => {
      const value = source.at(index);
      return value !== undefined && search.test(value, run);
    };
    return mayMatch === undefined ? test : testIf(mayMatch, test);
  }
  return columnTest(column, (value) => value !== undefined && search.test(value, run), run);
}

/** Whether the value of a column may contain the literal of a search; `undefined` if that is as expensive as the search. */
export function mayContain(column: Column, { literal }: TextSearch): OfEvent<boolean> | undefined {
  return literal === '' ? undefined : column.mayContain?.(literal);
}

/** Tests only events that may match. */
export function testIf(mayMatch: OfEvent<boolean>, test: OfEvent<Verdict>): OfEvent<Verdict> {
  return Object.assign((index: number) => mayMatch(index) && test(index), { next: mayMatch.next });
}

export function notTest(test: EventTest): EventTest {
  if (typeof test === 'boolean') return !test;
  return (index) => {
    const verdict = test(index);
    return verdict === undefined ? undefined : !verdict;
  };
}

/** Whether one of several values passes. `find` calls its argument with their verdicts, until that returns true. */
export function somePasses(find: (passes: (verdict: Verdict) => boolean) => boolean): Verdict {
  let isUndecided = false;
  const isFound = find((verdict) => {
    isUndecided ||= verdict === undefined;
    return verdict === true;
  });
  return isFound || (isUndecided ? undefined : false);
}

export function someTest(tests: readonly EventTest[]): EventTest {
  return combinedTest(tests, true);
}

/** Of several tests, one with the result `decisive` decides. */
export function combinedTest(tests: readonly EventTest[], decisive: boolean): EventTest {
  if (tests.includes(decisive)) return decisive;
  const left = tests.filter((test) => typeof test === 'function');
  const [first, second] = left;
  if (first === undefined) return !decisive;
  if (second === undefined) return first;
  return (index) => {
    let result: Verdict = !decisive;
    for (const test of left) {
      const verdict = test(index);
      if (verdict === decisive) return decisive;
      if (verdict === undefined) result = undefined;
    }
    return result;
  };
}

/** Takes only the events that pass a test; `undefined` if none does. Undecided events are discarded. */
export function takeWhere(
  test: EventTest,
  take: TakeEvent | undefined,
  { discards }: RunScope,
): TakeEvent | undefined {
  if (test === false || take === undefined) return undefined;
  if (test === true) return take;
  const takeIf = (index: number): void => {
    const verdict = test(index);
    if (verdict) take(index);
    else if (verdict === undefined) discards.count += 1;
  };
  return Object.assign(takeIf, { next: test.next });
}
