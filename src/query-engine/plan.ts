import type { Fields } from './event.ts';
import { type AggregateStep, columnsAfter, openSteps, type StreamStep } from './operator.ts';
import { aggregatePipeline } from './operators/aggregate-pipeline.ts';
import { implicitTail } from './operators/implicit-tail.ts';
import { type EventStream, type Run, startRun, startStream } from './run.ts';
import type { RunContext } from './run-context.ts';

/** A compiled query. Immutable: one plan can have any number of runs at the same time. */
export interface Plan {
  /** Whether the query makes rows of its own instead of handing on events. */
  readonly isAggregate: boolean;
  /** The part of the query before its first aggregate function, `*` when there is nothing before it. */
  readonly filterQueryString: string;
  /** Whether there is a regular expression in it: alone of all that queries hold, it can take ages for one event. */
  readonly hasRegex: boolean;
  /** Starts a run that collects a result. A query without an aggregate function gives its 200 newest events. */
  open(context: RunContext): Run;
  /**
   * Starts a run that hands on every event of the result at once. What it hands on may be the pushed event itself.
   *
   * @throws TypeError when the query is an aggregate.
   */
  openStream(context: RunContext, emit: (event: Fields) => void): EventStream;
}

/** What is known of a query by its text. */
export type PlanFacts = Pick<Plan, 'filterQueryString' | 'hasRegex'>;

/** The plan of a query with an aggregate function. */
export function aggregatePlan(step: AggregateStep, facts: PlanFacts): Plan {
  return {
    ...facts,
    isAggregate: true,
    open: (context) => startRun(step, context),
    openStream() {
      throw new TypeError('The result of an aggregate query can only be read as a whole: use open().');
    },
  };
}

/** The plan of a query that filters and changes events. */
export function filterPlan(steps: readonly StreamStep[], facts: PlanFacts): Plan {
  const step = aggregatePipeline(steps, { aggregate: implicitTail, after: [] }, []);
  // Events have whatever fields they have, unless the query selects some.
  const columns = columnsAfter(steps, undefined);
  return {
    ...facts,
    isAggregate: false,
    open: (context) => startRun({ ...step, columns: () => columns }, context),
    openStream: (context, emit) => startStream((run) => openSteps(steps, run, (row) => emit(row)), context),
  };
}
