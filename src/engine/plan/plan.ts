import type { Sink } from '../columns/event-table.ts';
import { rowSink } from '../columns/row-table.ts';
import type { Fields } from '../event.ts';
import { aggregatePipeline } from '../operators/aggregate-pipeline.ts';
import { implicitTail } from '../operators/newest-rows.ts';
import { type AggregateStep, columnsAfter, openSteps, type StreamStep } from '../operators/operator.ts';
import { type EventSource, type Preparation, prepareRun } from '../operators/preparation.ts';
import type { LookupTable } from '../query-library.ts';
import type { RunContext } from '../run/run-context.ts';
import { CollectingRun, type EventStream, Execution, type Run } from './run.ts';

/** The interval that a query sets with `setTimeInterval()`. */
export interface QueryInterval {
  readonly start: string;
  readonly end: string;
  /** The time zone of both times. Default: that of the query. */
  readonly timeZone: string | undefined;
}

/** A compiled query. Immutable: a plan can have any number of concurrent runs. */
export interface Plan {
  /** Whether the query aggregates. */
  readonly isAggregate: boolean;
  /** The query before its first aggregate function; `*` if there is nothing before it. */
  readonly filterQueryString: string;
  /** The interval that the query sets with `setTimeInterval()`. */
  readonly interval: QueryInterval | undefined;
  /** The lookup files that the query uses, by the names in the query, as of compilation. */
  readonly files: ReadonlyMap<string, LookupTable>;
  /** Why every result is incomplete. Runs report these warnings, too. */
  readonly warnings: ReadonlySet<string>;
  /** Whether the result depends on events. It doesn't if the query starts with its own rows. */
  readonly readsEvents: boolean;
  /** Whether {@link prepare} must provide the context of a run. */
  readonly needsPreparation: boolean;
  /** Whether preparation reads events: then the result for one event depends on others. */
  readonly hasSubQueries: boolean;
  /** Whether preparation also reads the query's own events: then the result for one event depends on later ones. */
  readonly looksAhead: boolean;
  /**
   * Computes what a run needs first: the results of subqueries. Runs in slices and returns the context for `open`.
   *
   * @param repository that the query reads; `undefined` for the source's default.
   */
  prepare(
    context: RunContext,
    source: EventSource,
    repository?: string,
  ): Generator<void, RunContext, undefined>;
  /** Starts a run that collects a result. A query without an aggregate returns its 200 newest events. */
  open(context: RunContext): Run;
  /**
   * Starts a run that emits every event of the result immediately, possibly the pushed event itself.
   *
   * @throws TypeError if the query aggregates.
   */
  openStream(context: RunContext, sink: Sink | ((event: Fields) => void)): EventStream;
}

/** What follows from the text of a query. */
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
    open: (context) => new CollectingRun(step, context, facts.warnings),
    openStream() {
      throw new TypeError('The result of an aggregate query can only be read as a whole: use open().');
    },
  };
}

/** The plan of a query without an aggregate function. */
export function filterPlan(
  steps: readonly StreamStep[],
  preparations: readonly Preparation[],
  facts: PlanFacts,
): Plan {
  const step = aggregatePipeline(steps, { aggregate: implicitTail, after: [] }, []);
  // The columns of events are unknown unless the query selects some.
  const columns = columnsAfter(steps, undefined);
  return {
    ...facts,
    ...preparing(preparations),
    looksAhead: steps.some(({ firstPass }) => firstPass !== undefined),
    isAggregate: false,
    readsEvents: true,
    open: (context) => new CollectingRun({ ...step, columns: () => columns }, context, facts.warnings),
    openStream(context, sink) {
      const output = typeof sink === 'function' ? rowSink(sink) : sink;
      return new Execution((scope) => openSteps(steps, scope, output), context, facts.warnings);
    },
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
