import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { readsOfAll } from '../columns/expression.ts';
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

/** An aggregate and the steps that its rows go through. */
export interface AggregateStage {
  readonly aggregate: AggregateStep;
  readonly after: readonly StreamStep[];
}

/**
 * Steps with at least one aggregate among them: a whole query, or `{ … }` as the argument of a function.
 *
 * Events run up to the first aggregate as they are taken. The rest runs anew whenever the result is read.
 */
export function aggregatePipeline(
  before: readonly StreamStep[],
  first: AggregateStage,
  rest: readonly AggregateStage[],
): AggregateStep {
  const stages = [first, ...rest];
  return {
    ...(first.aggregate.ignoresInput && { ignoresInput: true }),
    reads: readsOfAll([...before, first.aggregate]),
    open(run) {
      const opened = first.aggregate.open(run);
      return new AggregatePipeline(openSteps(before, run, opened), opened, stages, run);
    },
    openWindow(run) {
      const window = openWindow(first.aggregate, run);
      const { from, forget } = windowInput(before, window, run);
      const pipeline = new AggregatePipeline({ from }, window, stages, run);
      return { from, forget, rows: () => pipeline.rows() };
    },
    columns: (columns) =>
      stages.reduce(
        (current, { aggregate, after }) => columnsAfter(after, aggregate.columns(current)),
        columnsAfter(before, columns),
      ),
  };
}

/** What steps make of each event enters a window and, when the event leaves, leaves it. */
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

class AggregatePipeline implements Accumulator {
  readonly #input: Sink;
  readonly #first: Accumulator;
  readonly #stages: readonly AggregateStage[];
  readonly #run: RunScope;
  #last: Accumulator;

  constructor(input: Sink, first: Accumulator, stages: readonly AggregateStage[], run: RunScope) {
    this.#input = input;
    this.#first = first;
    this.#last = first;
    this.#stages = stages;
    this.#run = run;
  }

  from(table: EventTable): TakeEvent | undefined {
    return this.#input.from(table);
  }

  *rows(): SlicedWork<readonly Fields[]> {
    let rows: readonly Fields[] = [];
    for (const [index, { aggregate, after }] of this.#stages.entries()) {
      this.#last = index === 0 ? this.#first : aggregate.open(scopeOfRead(this.#run));
      if (index > 0) yield* takeAll(rows, this.#last);
      rows = yield* this.#runSteps(yield* slicedRows(this.#last), after);
    }
    return rows;
  }

  get extraData(): Readonly<Record<string, string>> {
    return this.#last.extraData ?? {};
  }

  *#runSteps(rows: readonly Fields[], steps: readonly StreamStep[]): SlicedWork<readonly Fields[]> {
    if (steps.length === 0) return rows;
    const { retain } = scopeOfRead(this.#run);
    const results: Fields[] = [];
    const output = rowSink((row) => {
      // Steps that only change rows leave no more of them than there were.
      if (results.push(row) > rows.length) retain?.(rowBytes(row));
    });
    yield* takeAll(rows, openSteps(steps, this.#run, output));
    return results;
  }
}

/** Hands rows to a sink bit by bit. */
export function* takeAll(rows: readonly Fields[], sink: Sink): SlicedWork<void> {
  const take = sink.from(RowTable.of(rows));
  if (take === undefined) return;
  for (const index of rows.keys()) {
    take(index);
    // Some functions look at thousands of rows for each.
    yield;
  }
}
