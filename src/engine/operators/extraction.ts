import { ChangedTable, computedColumn } from '../columns/changed-table.ts';
import { takeWhere, type Verdict } from '../columns/column-test.ts';
import { memoizeLast } from '../columns/computed.ts';
import type { Column, EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { ofField } from '../columns/expression.ts';
import { findInFields, freeTextFilter, searchedTable } from '../columns/free-text.ts';
import { copyFields } from '../event.ts';
import { type Regex, writeGroups } from '../regex/regex.ts';
import type { RunScope } from '../run/run-context.ts';
import { limitedText } from '../text/text-limit.ts';
import { type StreamStep, withColumns } from './operator.ts';
import { passingRows } from './row-code.ts';

export interface ExtractionOptions {
  /** The field to search; `undefined` for all searchable fields of the stored event. */
  readonly field: string | undefined;
  /** Emits one event per match instead of only the first. */
  readonly repeat: boolean;
  /** Maximum number of matches for `repeat`. */
  readonly limit?: number;
  /** Also emits events that don't match. */
  readonly keepOthers?: boolean;
}

/** Keeps events that match a regular expression, and extracts its named groups. */
export function extractionStep(regex: Regex, options: ExtractionOptions): StreamStep {
  const { field, repeat, limit, keepOthers = false } = options;
  const names = regex.groups.map(({ name }) => name);
  return {
    open: (run, next) => ({
      from: (table) => (repeat ? takeAllMatches : takeFirstMatch)(table, run, next),
    }),
    columns: (before) => withColumns(before, names),
  };

  function takeFirstMatch(table: EventTable, run: RunScope, next: Sink): TakeEvent | undefined {
    const matchAt = finder(table, run, { regex, field }, (text) => {
      const match = regex.exec(text, run);
      return match === undefined ? UNDECIDED : (match ?? undefined);
    });
    const take = next.from(new ChangedTable(table, groupColumns(table, regex, matchAt)));
    return takeWhere(keepOthers || ((index) => verdictOf(matchAt(index))), take, run);
  }

  function takeAllMatches(table: EventTable, run: RunScope, next: Sink): TakeEvent | undefined {
    const handOn = passingRows(table, next);
    const matchesAt = finder(table, run, { regex, field }, (text) => {
      const matches: RegExpExecArray[] = [];
      for (const match of regex.matches(text, limit, run)) {
        if (match === undefined) return UNDECIDED;
        matches.push(match);
      }
      return matches.length === 0 ? undefined : matches;
    });
    if (handOn === undefined) return undefined;
    return (index) => {
      const matches = matchesAt(index);
      const verdict = verdictOf(matches);
      if (!verdict && keepOthers) handOn(table.row(index), index);
      else if (verdict === undefined) run.discards.count += 1;
      for (const match of matches ?? []) {
        const row = copyFields(table.row(index));
        writeGroups(row, regex.groups, match);
        handOn(row, index);
      }
    };
  }
}

/** The result for a value whose match is undecided. */
const UNDECIDED: readonly never[] = [];

function verdictOf(result: object | undefined): Verdict {
  return result === UNDECIDED ? undefined : result !== undefined;
}

/** Searches a field, or all fields up to the first result. */
function finder<Found>(
  table: EventTable,
  run: RunScope,
  { regex, field }: { readonly regex: Regex; readonly field: string | undefined },
  find: (text: string) => Found | undefined,
): (index: number) => Found | undefined {
  if (field !== undefined) return ofField(table, field, find);
  const searched = searchedTable(table, run);
  const rawstring = searched.column('@rawstring');
  const passes = freeTextFilter(regex).over(table, run);
  // Most matches are in `@rawstring`, which needs no row, and neither do most events without a match.
  return memoizeLast((index) => {
    const text = rawstring.at(index);
    const result = text === undefined ? undefined : find(text);
    if (result !== undefined || passes === false || (passes !== true && passes(index) === false))
      return result;
    return findInFields(searched.row(index), find, 'others');
  });
}

/** The values of the groups that took part in the match. */
function groupColumns(
  table: EventTable,
  regex: Regex,
  matchAt: (index: number) => readonly string[] | undefined,
): ReadonlyMap<string, Column> {
  const columns = new Map<string, Column>();
  for (const { name, index: group } of regex.groups) {
    // Of several groups with the same name, the last one that took part is used.
    const before = columns.get(name) ?? table.column(name);
    const at = (index: number): string | undefined => {
      const groupText = matchAt(index)?.[group];
      return groupText === undefined ? before.at(index) : limitedText(groupText);
    };
    columns.set(name, computedColumn(at));
  }
  return columns;
}
