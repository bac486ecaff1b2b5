import type { Sink } from '../columns/event-table.ts';
import { rowSink } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { aggregatePipeline } from '../operators/aggregate-pipeline.ts';
import { implicitTail } from '../operators/newest-rows.ts';
import { type AggregateStep, columnsAfter, type StreamStep } from '../operators/operator.ts';
import type { LookupTable } from '../query-library.ts';
import { type EventSource, type Preparation, prepareRun } from './preparation.ts';
import { type EventStream, type Run, startRun, startStream } from './run.ts';
import type { RunContext } from './run-context.ts';

/** The interval that a query sets for itself. */
export interface QueryInterval {
  readonly start: string;
  readonly end: string;
  /** The zone in which the two are read; the query's own when it is `undefined`. */
  readonly timeZone: string | undefined;
}

/** A compiled query. Immutable: one plan can have any number of runs at the same time. */
export interface Plan {
  /** Whether the query makes rows of its own instead of handing on events. */
  readonly isAggregate: boolean;
  /** The part of the query before its first aggregate function, `*` when there is nothing before it. */
  readonly filterQueryString: string;
  /** The interval that the query sets for itself, with `setTimeInterval`. */
  readonly interval: QueryInterval | undefined;
  /** The lookup files that it uses, by the names it has for them, as they were when it was compiled. */
  readonly files: ReadonlyMap<string, LookupTable>;
  /** What is incomplete about every result. The runs tell it, too. */
  readonly warnings: ReadonlySet<string>;
  /** Whether events have any part in the result. They have none when it all begins with rows of its own. */
  readonly readsEvents: boolean;
  /** Fields that it looks at in many events, as far as they are known. */
  readonly reads: readonly string[];
  /** Whether {@link prepare} has anything to do, so that a run should only be opened with what it gives. */
  readonly needsPreparation: boolean;
  /** Whether that looks at events: what becomes of an event depends on others, then. */
  readonly hasSubQueries: boolean;
  /** Whether it looks at its own events before the run, too: what it makes of one depends on those that follow. */
  readonly looksAhead: boolean;
  /**
   * Finds out what a run needs first: the results of the queries inside the query. Does a little each time it is asked
   * to go on, and gives at last the context to open the run with.
   *
   * @param repository whose events the query reads; `undefined` for the one that the source has for it.
   */
  prepare(
    context: RunContext,
    source: EventSource,
    repository?: string,
  ): Generator<void, RunContext, undefined>;
  /** Starts a run that collects a result. A query without an aggregate function gives its 200 newest events. */
  open(context: RunContext): Run;
  /**
   * Starts a run that hands on every event of the result at once. What it hands on may be the pushed event itself.
   *
   * @throws TypeError when the query is an aggregate.
   */
  openStream(context: RunContext, sink: Sink | ((event: Fields) => void)): EventStream;
}

/** What is known of a query by its text. */
export type PlanFacts = Pick<Plan, 'filterQueryString' | 'interval' | 'files' | 'warnings'>;

/** The plan of a query with an aggregate function. */
export function aggregatePlan(
  step: AggregateStep,
  preparations: readonly Preparation[],
  facts: PlanFacts,
): Plan {
  return {
    ...facts,
    ...preparing(preparations),
    isAggregate: true,
    readsEvents: step.ignoresInput !== true,
    reads: step.reads ?? [],
    open: (context) => startRun(step, context, facts.warnings),
    openStream() {
      throw new TypeError('The result of an aggregate query can only be read as a whole: use open().');
    },
  };
}

/** The plan of a query that filters and changes events. */
export function filterPlan(
  steps: readonly StreamStep[],
  preparations: readonly Preparation[],
  facts: PlanFacts,
): Plan {
  const step = aggregatePipeline(steps, { aggregate: implicitTail, after: [] }, []);
  // Events have whatever fields they have, unless the query selects some.
  const columns = columnsAfter(steps, undefined);
  return {
    ...facts,
    ...preparing(preparations),
    looksAhead: steps.some(({ firstPass }) => firstPass !== undefined),
    isAggregate: false,
    readsEvents: true,
    reads: step.reads ?? [],
    open: (context) => startRun({ ...step, columns: () => columns }, context, facts.warnings),
    openStream: (context, sink) =>
      startStream(steps, typeof sink === 'function' ? rowSink(sink) : sink, context),
  };
}

function preparing(
  preparations: readonly Preparation[],
): Pick<Plan, 'needsPreparation' | 'hasSubQueries' | 'looksAhead' | 'prepare'> {
  return {
    needsPreparation: preparations.length > 0,
    hasSubQueries: preparations.some(({ readsEvents }) => readsEvents),
    looksAhead: false,
    prepare: (context, source, repository) => prepareRun(preparations, context, { source, repository }),
  };
}
