import type { NumberComparison } from '../../language/diagnostics/text-comparison.ts';
import { type Fields, readField } from '../event.ts';
import { ComparedField } from '../run/compared-fields.ts';
import type { RunScope } from '../run/run-context.ts';
import { globSearch, matchesEverything } from '../text/glob.ts';
import { toBoolean } from '../value.ts';
import {
  columnTest,
  combinedTest,
  type EventTest,
  mayContain,
  notTest,
  searchTest,
  somePasses,
  someTest,
  type TextSearch,
  testIf,
  type Verdict,
} from './column-test.ts';
import { computedValues } from './computed.ts';
import type { EventTable } from './event-table.ts';
import type { Expression, Predicate } from './expression.ts';

export function constantFilter(value: boolean): Predicate {
  return { over: () => value };
}

export function fieldFilter(
  name: string,
  test: (value: string | undefined, run: RunScope) => Verdict,
): Predicate {
  return { over: (table, run) => columnTest(table.column(name), test, run) };
}

/** A comparison of the number in a field; false if it has none. Text in the field is noted for a warning. */
export function numberFilter(comparison: NumberComparison, test: (number: number) => boolean): Predicate {
  return {
    over(table, run) {
      const compared = run.compared?.at(comparison) ?? new ComparedField();
      return compared.taking(table.column(comparison.field), test);
    },
  };
}

/** Whether a field exists and matches; `negated` inverts the result. */
export function fieldMatches(name: string, search: TextSearch, negated = false): Predicate {
  const filter: Predicate = { over: (table, run) => searchTest(table.column(name), search, run) };
  return negated ? negation(filter) : filter;
}

/** `field = pattern` and its variants. */
export function fieldPattern(
  name: string,
  pattern: string,
  options: { anchored: boolean; negated?: boolean; ignoreCase?: boolean },
): Predicate {
  const { negated = false } = options;
  if (matchesEverything(pattern)) return fieldFilter(name, (value) => (value === undefined) === negated);
  return fieldMatches(name, globSearch(pattern, options), negated);
}

/** Whether an expression is true; null is not. */
export function isTrue({ over }: Expression): Predicate {
  return {
    over(table, run) {
      const values = over(table, run);
      return (index) => toBoolean(values.at(index)) === true;
    },
  };
}

export function truthOf({ over }: Predicate): Expression {
  return {
    over(table, run) {
      const test = over(table, run);
      return computedValues(typeof test === 'boolean' ? () => test : test);
    },
  };
}

export function allOf(filters: readonly Predicate[]): Predicate {
  return combined(filters, (tests) => combinedTest(tests, false));
}

export function someOf(filters: readonly Predicate[]): Predicate {
  return combined(filters, someTest);
}

export function negation(filter: Predicate): Predicate {
  return combined([filter], ([test = false]) => notTest(test));
}

function combined(
  filters: readonly Predicate[],
  combine: (tests: readonly EventTest[]) => EventTest,
): Predicate {
  return {
    over: (table, run) => combine(filters.map(({ over }) => over(table, run))),
  };
}

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
