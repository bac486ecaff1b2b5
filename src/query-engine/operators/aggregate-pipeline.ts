import { readsOfAll } from '../columns/column-test.ts';
import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import { takeFor } from '../columns/table-rows.ts';
import type { Fields } from '../event.ts';
import { rowBytes } from '../run/memory-estimate.ts';
import type { RunScope } from '../run/run-context.ts';
import { scopeOfRead } from '../run/run-scope.ts';
import { finish, type SlicedWork } from '../run/sliced-sort.ts';
import {
  type Accumulator,
  type AggregateStep,
  columnsAfter,
  type Emit,
  openSteps,
  type StreamStep,
  slicedRows,
} from './operator.ts';
import { type TableSink, TableSteps } from './table-steps.ts';

/** An aggregate and the steps that its rows go through. */
export interface AggregateStage {
  readonly aggregate: AggregateStep;
  readonly after: readonly StreamStep[];
}

/**
 * Steps with at least one aggregate among them: a whole query, or `{ … }` as the argument of a function.
 *
 * Rows run up to the first aggregate as they are pushed. The rest runs anew whenever the result is read.
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
    open: (run) => new AggregatePipeline(before, first, rest, run),
    columns: (columns) =>
      stages.reduce(
        (current, { aggregate, after }) => columnsAfter(after, aggregate.columns(current)),
        columnsAfter(before, columns),
      ),
  };
}

class AggregatePipeline implements Accumulator {
  readonly push: Emit;
  readonly #before: readonly StreamStep[];
  readonly #first: Accumulator;
  readonly #firstStage: AggregateStage;
  readonly #rest: readonly AggregateStage[];
  readonly #run: RunScope;
  #last: Accumulator;
  #tables: TableSteps | undefined;

  constructor(
    before: readonly StreamStep[],
    first: AggregateStage,
    rest: readonly AggregateStage[],
    run: RunScope,
  ) {
    const accumulator = first.aggregate.open(run);
    this.#first = accumulator;
    this.#last = accumulator;
    this.#firstStage = first;
    this.#rest = rest;
    this.#run = run;
    this.#before = before;
    this.push = openSteps(before, run, (row, stored) => accumulator.push(row, stored));
  }

  from(table: EventTable): TakeEvent | undefined {
    this.#tables ??= new TableSteps(this.#before, this.#run, this.#sink);
    return this.#tables.from(table);
  }

  get #sink(): TableSink {
    const accumulator = this.#first;
    const { reads } = this.#firstStage.aggregate;
    return {
      reads,
      push: (row, stored) => accumulator.push(row, stored),
      ...(accumulator.from !== undefined && { from: (table) => takeFor(accumulator, table, reads) }),
    };
  }

  rows(): readonly Fields[] {
    return finish(this.slicedRows());
  }

  *slicedRows(): SlicedWork<readonly Fields[]> {
    this.#last = this.#first;
    let rows = yield* this.#runSteps(yield* slicedRows(this.#first), this.#firstStage.after);
    for (const { aggregate, after } of this.#rest) {
      const accumulator = aggregate.open(scopeOfRead(this.#run));
      yield* pushAll(rows, (row, stored) => accumulator.push(row, stored));
      rows = yield* this.#runSteps(yield* slicedRows(accumulator), after);
      this.#last = accumulator;
    }
    return rows;
  }

  get extraData(): Readonly<Record<string, string>> | undefined {
    return this.#last.extraData;
  }

  *#runSteps(rows: readonly Fields[], steps: readonly StreamStep[]): SlicedWork<readonly Fields[]> {
    if (steps.length === 0) return rows;
    const { retain } = scopeOfRead(this.#run);
    const results: Fields[] = [];
    const input = openSteps(steps, this.#run, (row) => {
      // Steps that only change rows leave no more of them than there were.
      if (results.push(row) > rows.length) retain?.(rowBytes(row));
    });
    yield* pushAll(rows, input);
    return results;
  }
}

function* pushAll(rows: readonly Fields[], push: Emit): SlicedWork<void> {
  for (const row of rows) {
    push(row, row);
    // Some functions look at thousands of rows for each.
    yield;
  }
}
