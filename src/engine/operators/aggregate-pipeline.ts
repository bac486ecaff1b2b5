import type { Sink } from '../columns/event-table.ts';
import { RowTable, rowSink } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import { openWindow } from './aggregate-window.ts';
import {
  type Accumulator,
  type AggregateStep,
  columnsAfter,
  openSteps,
  type StreamStep,
  slicedRows,
  type WindowAccumulator,
} from './operator.ts';
import { passingRows } from './row-code.ts';

/** An aggregate, followed by steps for its rows. */
export interface AggregateStage {
  readonly aggregate: AggregateStep;
  readonly after: readonly StreamStep[];
}

/**
 * Steps with at least one aggregate: a whole query, or the argument `{ … }` of a function.
 *
 * Events run through the steps up to the first aggregate as they arrive. The rest runs each time the result is read.
 */
export function aggregatePipeline(
  before: readonly StreamStep[],
  first: AggregateStage,
  rest: readonly AggregateStage[],
): AggregateStep {
  const stages = [first, ...rest];
  return {
    ...(first.aggregate.ignoresInput && { ignoresInput: true }),
    open(run) {
      const opened = first.aggregate.open(run);
      const input = openSteps(before, run, opened);
      return { from: (table) => input.from(table), ...resultOf(opened, stages, run) };
    },
    openWindow(run) {
      const window = openWindow(first.aggregate, run);
      return { ...windowInput(before, window, run), ...resultOf(window, stages, run) };
    },
    columns: (columns) =>
      stages.reduce(
        (current, { aggregate, after }) => columnsAfter(after, aggregate.columns(current)),
        columnsAfter(before, columns),
      ),
  };
}

/** Events enter the window through the steps, and leave it the same way. */
function windowInput(
  steps: readonly StreamStep[],
  window: WindowAccumulator,
  run: RunScope,
): Pick<WindowAccumulator, 'from' | 'forget'> {
  const forgetting: Sink = { from: (table) => window.forget(table) };
  const made: Fields[][] = [];
  const input = openSteps(
    steps,
    run,
    rowSink((row) => made.at(-1)!.push(row)),
  );
  return {
    from(table) {
      const take = input.from(table);
      const add = passingRows(table, window);
      return (index) => {
        made.push([]);
        take?.(index);
        for (const row of made.at(-1)!) add?.(row, index);
      };
    },
    forget(table) {
      const remove = passingRows(table, forgetting);
      return (index) => {
        for (const row of made.shift() ?? []) remove?.(row, index);
      };
    },
  };
}

/** Runs the stages on the rows of the first aggregate. */
function resultOf(
  first: Accumulator,
  stages: readonly AggregateStage[],
  run: RunScope,
): Pick<Accumulator, 'rows' | 'eachRow' | 'extraData'> {
  let last = first;
  const isLast = stages.length === 1 && stages[0]!.after.length === 0;
  return {
    ...(isLast && first.eachRow && { eachRow: () => first.eachRow!() }),
    *rows() {
      let rows: readonly Fields[] = [];
      for (const [index, { aggregate, after }] of stages.entries()) {
        last = index === 0 ? first : aggregate.open(scopeOfRead(run));
        if (index > 0) yield* takeAll(rows, last);
        rows = yield* afterSteps(yield* slicedRows(last), after, run);
      }
      return rows;
    },
    extraData: () => last.extraData?.() ?? {},
  };
}

function* afterSteps(
  rows: readonly Fields[],
  steps: readonly StreamStep[],
  run: RunScope,
): SlicedWork<readonly Fields[]> {
  if (steps.length === 0) return rows;
  const { retain } = scopeOfRead(run);
  const results: Fields[] = [];
  const output = rowSink((row) => {
    // Steps that only change rows don't need more memory than before.
    if (results.push(row) > rows.length) retain?.(rowBytes(row));
  });
  yield* takeAll(rows, openSteps(steps, run, output));
  return results;
}

/** Passes rows to a sink, in slices. */
export function* takeAll(rows: readonly Fields[], sink: Sink): SlicedWork<void> {
  const take = sink.from(RowTable.of(rows));
  if (take === undefined) return;
  for (const index of rows.keys()) {
    take(index);
    // Some functions read thousands of rows for each row.
    yield;
  }
}
