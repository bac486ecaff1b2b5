import type { Fields } from '../event.ts';
import {
  type Accumulator,
  type AggregateStep,
  columnsAfter,
  type Emit,
  openSteps,
  type StreamStep,
} from '../operator.ts';
import type { RunScope } from '../run-context.ts';

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
  readonly #first: Accumulator;
  readonly #firstStage: AggregateStage;
  readonly #rest: readonly AggregateStage[];
  readonly #run: RunScope;
  #last: Accumulator;

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
    this.push = openSteps(before, run, (row, stored) => accumulator.push(row, stored));
  }

  rows(): readonly Fields[] {
    this.#last = this.#first;
    let rows = this.#runSteps(this.#first.rows(), this.#firstStage.after);
    for (const { aggregate, after } of this.#rest) {
      const accumulator = aggregate.open(this.#run);
      for (const row of rows) accumulator.push(row, row);
      rows = this.#runSteps(accumulator.rows(), after);
      this.#last = accumulator;
    }
    return rows;
  }

  get extraData(): Readonly<Record<string, string>> | undefined {
    return this.#last.extraData;
  }

  #runSteps(rows: readonly Fields[], steps: readonly StreamStep[]): readonly Fields[] {
    if (steps.length === 0) return rows;
    const results: Fields[] = [];
    const input = openSteps(steps, this.#run, (row) => {
      results.push(row);
    });
    for (const row of rows) input(row, row);
    return results;
  }
}
