import { type Fields, readField } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { globSearch, matchesEverything } from '../text/glob.ts';
import {
  type EventTest,
  mayContain,
  searchTest,
  somePasses,
  someTest,
  type TextSearch,
  testIf,
  type Verdict,
} from './column-test.ts';
import type { EventTable } from './event-table.ts';
import type { Predicate } from './expression.ts';
import { constantFilter } from './predicate.ts';

/** System fields that free text searches besides `@rawstring`. */
const SEARCHED_SYSTEM_FIELDS = ['@timezone', '@timestamp.nanos'];

export interface FreeText extends TextSearch {
  /** Whether a match within a value is also a match within any longer string that contains the value. */
  readonly isPart: boolean;
}

/** Whether any searchable field of an event matches. Usually `@rawstring` decides. */
export function freeTextFilter(search: FreeText): Predicate {
  return {
    over(table, run) {
      const searched = searchedTable(table, run);
      const isInRow = (index: number): Verdict =>
        somePasses(
          (passes) =>
            findInFields(searched.row(index), (value) => passes(search.test(value, run)) || undefined) ===
            true,
        );
      const testOf = (name: string): EventTest => searchTest(searched.column(name), search, run);
      const { field, values = [] } = searched.besideText ?? {};
      const hasOther = field !== undefined && values.some((value) => search.test(value, run) !== false);
      const others = hasOther ? [...SEARCHED_SYSTEM_FIELDS, field] : SEARCHED_SYSTEM_FIELDS;
      const isInText = someTest(['@rawstring', ...others].map(testOf));
      if (typeof isInText === 'boolean') return isInText || isInRow;
      // At least five times as fast: reads other fields only if they may differ from `@rawstring`.
      const test = (index: number): Verdict => {
        const verdict = isInText(index);
        return verdict || (search.isPart && searched.isInText?.(index)) ? verdict : isInRow(index);
      };
      const mayMatch = search.isPart ? mayContain(searched.column('@rawstring'), search) : undefined;
      if (mayMatch === undefined) return test;
      const isBeside = someTest(others.map(testOf));
      if (isBeside === true) return test;
      if (isBeside === false) return testIf(mayMatch, test);
      return (index) => (mayMatch(index) ? test(index) : isBeside(index));
    },
  };
}

/** Whether any searchable field contains a pattern. */
export function freeTextPattern(pattern: string, ignoreCase = false): Predicate {
  if (pattern === '' || matchesEverything(pattern)) return constantFilter(true);
  return freeTextFilter({ ...globSearch(pattern, { anchored: false, ignoreCase }), isPart: true });
}

/** In queries, free text searches events as stored; in parsers, as they are at that step. */
export function searchedTable(table: EventTable, { isParser }: RunScope): EventTable {
  return isParser ? table : table.stored;
}

/**
 * The first defined result of `find` for a searchable field: any except `@id`, `@timestamp`, `@ingesttimestamp` and
 * tags. Starts with `@rawstring`, the most likely match; omits it for `others`.
 */
export function findInFields<T>(
  event: Fields,
  find: (value: string) => T | undefined,
  fields: 'all' | 'others' = 'all',
): T | undefined {
  const rawstring = fields === 'others' ? undefined : readField(event, '@rawstring');
  const inRawstring = rawstring === undefined ? undefined : find(rawstring);
  if (inRawstring !== undefined) return inRawstring;
  for (const name in event) {
    if (!isSearchable(name)) continue;
    const value = readField(event, name);
    const result = value === undefined ? undefined : find(value);
    if (result !== undefined) return result;
  }
  return undefined;
}

function isSearchable(name: string): boolean {
  const first = name.charCodeAt(0);
  if (first === 35) return false;
  if (first !== 64) return true;
  return name !== '@rawstring' && name !== '@id' && name !== '@timestamp' && name !== '@ingesttimestamp';
}
