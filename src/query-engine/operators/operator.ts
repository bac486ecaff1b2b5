import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { RowTable } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';

/** The columns of result rows, in order. `undefined` for events, which have any fields. */
export type Columns = readonly string[] | undefined;

/** Handles each event by itself and hands on none, one or several. Immutable; `open` starts it for one run. */
export interface StreamStep {
  /** Fields that it reads, as far as they are known: their columns are loaded beforehand. */
  readonly reads?: readonly string[];
  /**
   * Takes tables, and hands what it makes of them on to `next` as tables. A filter opens the same table there and takes
   * fewer of its events; a step that changes fields opens a table with other columns. It never changes a row it gets.
   */
  open(run: RunScope, next: Sink): Sink;
  /** The columns after the step; when absent, the columns before it. */
  columns?(before: Columns): Columns;
  /** What it must know of all events before it can hand on the first. It finds the result in the run, by this object. */
  readonly firstPass?: FirstPass;
}

/** Takes all events before a step gets them. Immutable; `open` starts it for one run. */
export interface FirstPass {
  open(run: RunScope): Sink & { result(): unknown };
}

/** Consumes all events and makes rows. Immutable; `open` starts it for one run. */
export interface AggregateStep {
  /** Fields that it reads, as far as they are known. */
  readonly reads?: readonly string[];
  open(run: RunScope): Accumulator;
  /** Opens it for a sliding window. Without this, every window is computed anew: see `openWindow`. */
  openWindow?(run: RunScope): WindowAccumulator;
  columns(before: Columns): Columns;
  /** A group of `groupBy` for which it makes no row is left out; without this, such a group is a row of its keys. */
  readonly filtersGroups?: boolean;
  /** Makes its rows of nothing that it takes. */
  readonly ignoresInput?: boolean;
  /** It stands for a table of the steps before it, which `compilePlan` measures. */
  readonly explains?: true;
  /** The aggregates of a list. */
  readonly members?: readonly AggregateStep[];
}

/** The state of an aggregate. It keeps no row that it doesn't give back. */
export interface Accumulator extends Sink {
  /**
   * The result so far, bit by bit where there can be much to do. May be called any number of times, and more events may
   * follow.
   */
  rows(): readonly Fields[] | SlicedWork<readonly Fields[]>;
  /** What the result page wants to know about the result. */
  extraData?(): Readonly<Record<string, string>>;
}

/** The state of an aggregate over a sliding window. */
export interface WindowAccumulator extends Accumulator {
  /** Opens a table whose events leave the window, in the order in which they came. */
  forget(table: EventTable): TakeEvent | undefined;
}

/** The rows of an aggregate, made bit by bit. */
export function* slicedRows(accumulator: Pick<Accumulator, 'rows'>): SlicedWork<readonly Fields[]> {
  yield;
  const rows = accumulator.rows();
  return 'next' in rows ? yield* rows : rows;
}

/** The rows of an aggregate at once. */
export function allRows(accumulator: Pick<Accumulator, 'rows'>): readonly Fields[] {
  const rows = accumulator.rows();
  return 'next' in rows ? finish(rows) : rows;
}

/** Columns of columns are read by nested calls: after so many steps, there are rows instead. */
const MAX_LAYERS = 50;

/** Connects steps, the first one first. */
export function openSteps(steps: readonly StreamStep[], run: RunScope, sink: Sink): Sink {
  return steps.reduceRight((next, step, place) => {
    const isDeep = place > 0 && place % MAX_LAYERS === 0;
    const input = step.open(run, next);
    return isDeep ? { from: (table) => input.from(RowTable.rowsOf(table)) } : input;
  }, sink);
}

export function columnsAfter(
  steps: readonly { columns?(before: Columns): Columns }[],
  before: Columns,
): Columns {
  return steps.reduce<Columns>((columns, step) => (step.columns ? step.columns(columns) : columns), before);
}

/** Adds columns that are not there yet. */
export function withColumns(before: Columns, added: readonly string[]): Columns {
  return before && [...before, ...added.filter((name) => !before.includes(name))];
}

/** Puts columns in front. Where the others are not known beforehand, those of the whole are not. */
export function withLeadingColumns(leading: readonly string[], others: Columns): Columns {
  return others && [...new Set([...leading, ...others])];
}
