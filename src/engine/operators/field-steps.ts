import { AddedTable, ChangedTable, missingColumn } from '../columns/changed-table.ts';
import { takeWhere, type Verdict } from '../columns/column-test.ts';
import { computedValues, memoizeLast } from '../columns/computed.ts';
import type { Column, EventTable, Sink, TakeEvent, Values } from '../columns/event-table.ts';
import { type Expression, ofField, type Predicate } from '../columns/expression.ts';
import { findInFields, freeTextFilter, searchedTable } from '../columns/predicate.ts';
import { copyFields, type Fields } from '../event.ts';
import { type Regex, writeGroups } from '../regex/regex.ts';
import type { RunScope } from '../run/run-context.ts';
import { limitedText } from '../text/text-limit.ts';
import { toNumber, toText } from '../value.ts';
import { type Columns, columnsAfter, openSteps, type StreamStep, withColumns } from './operator.ts';
import { passingRows } from './row-code.ts';

/** A step that changes the columns of each event. */
export function tableStep(
  change: (table: EventTable, run: RunScope) => EventTable,
  columns?: (before: Columns) => Columns,
): StreamStep {
  return {
    ...(columns && { columns }),
    open: (run, next) => ({ from: (table) => next.from(change(table, run)) }),
  };
}

/** A field and its new value. Null leaves the field unchanged. */
export interface Assignment {
  readonly name: string;
  readonly value: Expression;
}

/** Sets fields to the values of expressions, from left to right. */
export function assignmentStep(assignments: readonly Assignment[]): StreamStep {
  return stepsInOne(
    assignments.map(({ name, value }) =>
      tableStep(
        (table, run) => {
          const column = assigned(table.column(name), value.over(table, run));
          return new ChangedTable(table, new Map([[name, column]]));
        },
        (before) => withColumns(before, [name]),
      ),
    ),
  );
}

export function stepsInOne(steps: readonly StreamStep[]): StreamStep {
  const [only] = steps;
  if (steps.length === 1 && only !== undefined) return only;
  return {
    open: (run, next) => openSteps(steps, run, next),
    columns: (before) => columnsAfter(steps, before),
  };
}

function assigned(before: Column, values: Values): Column {
  // Caches the value: in chains such as `x := x + x`, each reader would evaluate the previous one twice.
  const at = memoizeLast((index) => {
    const text = toText(values.at(index));
    return text === undefined ? before.at(index) : limitedText(text);
  });
  const readNumbers = (): ((index: number) => number) => {
    const numberAt = values.numberReader();
    return memoizeLast((index) => {
      const number = numberAt(index);
      if (Number.isNaN(number)) return toNumber(at(index)) ?? Number.NaN;
      // Fields have no negative zero.
      return number === 0 ? 0 : number;
    });
  };
  let reader: ((index: number) => number) | undefined;
  return {
    at,
    numberReader() {
      reader ??= readNumbers();
      return reader;
    },
  };
}

/**
 * Adds fields that are extracted from one field.
 *
 * @param replaces whether they replace fields of the same name.
 */
export function additionStep(field: string, fieldsOf: (text: string) => Fields, replaces = true): StreamStep {
  return tableStep((table) => {
    const addedAt = ofField(table, field, fieldsOf);
    // At least three times as fast if later steps use only some fields, because no rows are created.
    return new AddedTable(table, (index) => addedAt(index) ?? {}, replaces);
  });
}

export function dropStep(names: readonly string[]): StreamStep {
  const columns = new Map(names.map((name) => [name, missingColumn]));
  return tableStep(
    (table) => new ChangedTable(table, columns),
    (before) => before?.filter((name) => !names.includes(name)),
  );
}

/** Keeps only these fields. */
export function selectStep(names: readonly string[]): StreamStep {
  return tableStep(
    (table) => ChangedTable.picked(table, names),
    () => names,
  );
}

export function filterStep({ over }: Predicate): StreamStep {
  return {
    open: (run, next) => ({
      from(table) {
        const test = over(table, run);
        return test === false ? undefined : takeWhere(test, next.from(table), run);
      },
    }),
  };
}

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
    columns.set(name, computedValues(at));
  }
  return columns;
}
