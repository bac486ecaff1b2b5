import type { EventTable, Sink, TakeEvent } from '../columns/event-table.ts';
import { readsOfAll } from '../columns/expression.ts';
import { RowTable, rowSink } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import type { SlicedWork } from '../run/sliced-sort.ts';
import {
  type Accumulator,
  type AggregateStep,
  columnsAfter,
  openSteps,
  type StreamStep,
  slicedRows,
} from './operator.ts';

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
    open: (run) => new AggregatePipeline(before, stages, run),
    columns: (columns) =>
      stages.reduce(
        (current, { aggregate, after }) => columnsAfter(after, aggregate.columns(current)),
        columnsAfter(before, columns),
      ),
  };
}

class AggregatePipeline implements Accumulator {
  readonly #input: Sink;
  readonly #first: Accumulator;
  readonly #stages: readonly AggregateStage[];
  readonly #run: RunScope;
  #last: Accumulator;

  constructor(before: readonly StreamStep[], stages: readonly AggregateStage[], run: RunScope) {
    this.#first = stages[0]!.aggregate.open(run);
    this.#last = this.#first;
    this.#stages = stages;
    this.#run = run;
    this.#input = openSteps(before, run, this.#first);
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
