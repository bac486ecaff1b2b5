import { RowTable } from '../columns/row-table.ts';
import { copyFields, type Fields, writeField } from '../event.ts';
import { openWindow } from '../operators/aggregate-window.ts';
import {
  type Accumulator,
  type AggregateStep,
  slicedRows,
  type WindowAccumulator,
  withColumns,
} from '../operators/operator.ts';
import { bufferedAggregate } from '../operators/row-buffer.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { ITEMS_PER_STEP, type SlicedWork } from '../run/sliced-sort.ts';

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
  const table = RowTable.of(members);
  // Most aggregates are cheaper if no row leaves.
  const window: Accumulator & Partial<WindowAccumulator> = bounds
    ? openWindow(inner, read)
    : inner.open(read);
  const take = window.from(table) ?? ignore;
  const forget = window.forget?.(table) ?? ignore;
  const results: Fields[] = [];
  let [first, end] = [0, 0];
  for (const row of rows) {
    yield;
    let result = row;
    if (row === members[end]) {
      if (current === 'include') take(end++);
      while (first < end && hasLeft(members[first]!, row, end - first)) forget(first++);
      result = withResult(row, yield* slicedRows(window), name, run);
      if (current === 'exclude') take(end++);
    }
    if (result !== row) read.retain?.(rowBytes(result));
    results.push(result);
  }
  return results;
}

const UNBOUNDED: WindowBounds = { has: () => true, hasLeft: () => false };

const ignore = (): void => {};

/** Joins a row and the result of an aggregate over its neighbors, which must be at most one row. */
function withResult(row: Fields, results: readonly Fields[], name: string, run: RunScope): Fields {
  const [result, ...others] = results;
  if (others.length > 0) {
    run.warn(
      `${name}() uses only the first row that its function returns. Use a function that returns one row.`,
    );
  }
  if (result === undefined) return row;
  const combined = copyFields(row);
  for (const field of Object.keys(result)) writeField(combined, field, result[field]!);
  return combined;
}
