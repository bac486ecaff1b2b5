import { matchesAnyField } from '../compiler/free-text.ts';
import type { TextMatcher } from '../text/glob.ts';
import { type ColumnTest, columnTest, type EventTest, someTest } from './column-test.ts';

/** What free text looks at besides `@rawstring` and what a client has sent. */
const SEARCHED_SYSTEM_FIELDS = ['@timezone', '@timestamp.nanos'];

export interface FreeText {
  readonly matches: TextMatcher;
  /** Whether whatever matches, matches as a part of a longer text, too. */
  readonly isPart: boolean;
}

/** Whether any searchable field of an event matches. Mostly a look at `@rawstring` says it all. */
export function freeTextTest({ matches, isPart }: FreeText): ColumnTest {
  const test = (value: string | undefined): boolean => value !== undefined && matches(value);
  return {
    reads: undefined,
    inTable({ stored: table }) {
      const isInRow = (index: number): boolean => matchesAnyField(table.row(index), matches);
      const names = ['@rawstring', ...SEARCHED_SYSTEM_FIELDS];
      const isInText: EventTest = someTest(names.map((name) => columnTest(table.column(name), test)));
      if (typeof isInText === 'boolean') return isInText || isInRow;
      return isPart
        ? (index) => isInText(index) || (!table.isInText(index) && isInRow(index))
        : (index) => isInText(index) || isInRow(index);
    },
  };
}
