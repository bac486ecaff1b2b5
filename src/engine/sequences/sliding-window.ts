import { RowTable } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { openWindow } from '../operators/aggregate-window.ts';
import { type AggregateStep, slicedRows, withColumns } from '../operators/operator.ts';
import { bufferedAggregate } from '../operators/row-buffer.ts';
import { type RunScope, rowBytes } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';
import { withResult } from './sequence.ts';

/** Decides which rows are in the window of a row. Rows enter and leave in order. */
export interface WindowBounds {
  /** Whether a row can be in windows; others pass unchanged. Called once per row, in order. */
  has(row: Fields): boolean;
  /** Whether the oldest row is outside the window of a row; the window has `size` rows. */
  hasLeft(oldest: Fields, row: Fields, size: number): boolean;
}

export interface SlidingAggregate {
  /** Name of the function, for warnings. */
  readonly name: string;
  readonly inner: AggregateStep;
  /** Whether a row is in its own window. */
  readonly current: 'include' | 'exclude';
  /** Default: rows never leave. */
  readonly bounds?: (run: RunScope) => WindowBounds;
}

/** Adds to each row the result of an aggregate over a window of rows before it. */
export function slidingAggregate(options: SlidingAggregate): AggregateStep {
  const { inner } = options;
  return bufferedAggregate(
    (before) => withColumns(before, inner.columns(before) ?? []),
    (rows, run) => withWindows(rows, options, run),
  );
}

function* withWindows(
  rows: readonly Fields[],
  { name, inner, current, bounds }: SlidingAggregate,
  run: RunScope,
): SlicedWork<readonly Fields[]> {
  const read = scopeOfRead(run);
  const { has, hasLeft } = bounds?.(run) ?? UNBOUNDED;
  const members: Fields[] = [];
  for (const [index, row] of rows.entries()) {
    if (has(row)) members.push(row);
    if (index % ITEMS_PER_STEP === 0) yield;
  }
  const window = bounds === undefined ? growing(inner, members, read) : sliding(inner, members, read);
  const results: Fields[] = [];
  let [first, end] = [0, 0];
  for (const row of rows) {
    yield;
    let result = row;
    if (row === members[end]) {
      if (current === 'include') window.take(end++);
      while (first < end && hasLeft(members[first]!, row, end - first)) window.forget(first++);
      result = withResult(row, yield* window.rows(), name, run);
      if (current === 'exclude') window.take(end++);
    }
    if (result !== row) read.retain?.(rowBytes(result));
    results.push(result);
  }
  return results;
}

const UNBOUNDED: WindowBounds = { has: () => true, hasLeft: () => false };

/** An aggregate over the rows that entered and have not left. */
interface AggregateWindow {
  take(index: number): void;
  forget(index: number): void;
  rows(): SlicedWork<readonly Fields[]>;
}

const ignore = (): void => {};

function growing(inner: AggregateStep, members: readonly Fields[], run: RunScope): AggregateWindow {
  const accumulator = inner.open(run);
  const take = accumulator.from(RowTable.of(members)) ?? ignore;
  return { take, forget: ignore, rows: () => slicedRows(accumulator) };
}

function sliding(inner: AggregateStep, members: readonly Fields[], run: RunScope): AggregateWindow {
  const table = RowTable.of(members);
  const window = openWindow(inner, run);
  const take = window.from(table) ?? ignore;
  return { take, forget: window.forget(table) ?? ignore, rows: () => slicedRows(window) };
}
