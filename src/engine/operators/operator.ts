import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { RowTable } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import type { RunScope } from '../run/run-context.ts';
import { finish, type RowSource, type SlicedWork } from '../run/sliced-sort.ts';

/** The columns of result rows, in order. `undefined` for events, which have any fields. */
export type Columns = readonly string[] | undefined;

/** A step that maps each event to none, one or several events. Immutable; `open` starts it for one run. */
export interface StreamStep {
  /**
   * Receives tables and passes tables on to `next`. A filter opens the same table there and takes fewer of its events;
   * a step that changes fields opens a table with other columns. Steps never modify rows they receive.
   */
  open(run: RunScope, next: Sink): Sink;
  /** The columns after the step. Default: those before it. */
  columns?(before: Columns): Columns;
  /**
   * Something the step must know about all events before it can emit the first. Its result is in the run, keyed by this
   * object.
   */
  readonly firstPass?: FirstPass;
}

/** A pass over all events before a step receives them. Immutable; `open` starts it for one run. */
export interface FirstPass {
  open(run: RunScope): Sink & { result(): unknown };
}

/** Consumes all events and produces rows. Immutable; `open` starts it for one run. */
export interface AggregateStep {
  open(run: RunScope): Accumulator;
  /** Opens a table once for all accumulators of the step, such as those of many groups. Default: each opens it. */
  feed?(
    table: EventTable,
    run: RunScope,
  ): { take(accumulator: Accumulator, index: number): void } | undefined;
  /** Opens it for a sliding window. Default: each window is computed again, see `openWindow`. */
  openWindow?(run: RunScope): WindowAccumulator;
  columns(before: Columns): Columns;
  /** Whether `groupBy` omits groups for which it produces no row. By default, such a group is a row with its keys. */
  readonly filtersGroups?: boolean;
  /** Whether its rows don't depend on its input. */
  readonly ignoresInput?: boolean;
  /** Set for `explain:asTable()`: `compilePlan` measures the steps before it. */
  readonly explains?: true;
  /** The aggregates of a list. */
  readonly members?: readonly AggregateStep[];
}

/** The state of an aggregate. It keeps no rows except those it returns. */
export interface Accumulator extends Sink {
  /** The result so far, in slices if it can be expensive. May be called repeatedly, also before further events. */
  rows(): readonly Fields[] | SlicedWork<readonly Fields[]>;
  /** The same rows one by one, for a caller that keeps none of them. Default: those of `rows`. */
  eachRow?(): RowSource;
  /** Metadata about the result, for charts. */
  extraData?(): Readonly<Record<string, string>>;
}

/** The state of an aggregate over a sliding window. */
export interface WindowAccumulator extends Accumulator {
  /** Opens a table whose events leave the window, in order of arrival. */
  forget(table: EventTable): TakeEvent | undefined;
}

/** Passes events to several consumers. */
export function takeEach(consumers: readonly (TakeEvent | undefined)[]): TakeEvent {
  const takes = consumers.filter((take) => take !== undefined);
  return (index) => {
    for (const take of takes) take(index);
  };
}

/** The rows of an aggregate, in slices. */
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

/** Columns of changed columns are nested calls: beyond this depth, rows are created instead. */
const MAX_LAYERS = 50;

/** Connects steps in order. */
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

/** Appends columns that don't exist yet. */
export function withColumns(before: Columns, added: readonly string[]): Columns {
  return before && [...before, ...added.filter((name) => !before.includes(name))];
}

/** The columns of rows with those of several lists; unknown if one of them is. */
export function allColumns(lists: readonly Columns[]): Columns {
  return lists.includes(undefined) ? undefined : [...new Set(lists.flatMap((names) => names ?? []))];
}

/** Prepends columns. If the others are unknown, so is the result. */
export function withLeadingColumns(leading: readonly string[], others: Columns): Columns {
  return allColumns([leading, others]);
}
