import type { Sink } from '../columns/event-table.ts';
import type { RunContext, RunScope } from '../run/run-context.ts';
import { newScope } from '../run/run-scope.ts';
import { undecidedWarnings } from '../run/search-budget.ts';

/** An inclusive interval in epoch milliseconds, and its repository. */
interface EventInterval {
  /** `undefined` for the repository of the query. */
  readonly repository: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Provides events for subqueries. */
export interface EventSource {
  /** Passes the events of an interval to a sink, ordered by time, in slices. */
  read(interval: EventInterval, sink: Sink): Generator<void>;
}

/** The run that is being prepared. */
export interface PreparingRun {
  /** Has the results of the preparations before this one. */
  readonly run: RunScope;
  readonly source: EventSource;
  readonly repository: string | undefined;
}

/** Something to compute before the events of a query can be processed. Immutable, like plans. */
export interface Preparation {
  /** Key of the result. */
  readonly key: object;
  /** Whether it reads events, so the result may change. */
  readonly readsEvents: boolean;
  /** Computes the result in slices. */
  compute(preparing: PreparingRun): Generator<void, unknown>;
}

/**
 * Computes preparations in order; each may use the results of those before it.
 *
 * @returns the context of the run.
 */
export function* prepareRun(
  preparations: readonly Preparation[],
  context: RunContext,
  { source, repository }: Omit<PreparingRun, 'run'>,
): Generator<void, RunContext> {
  const results = new Map(context.prepared?.results);
  const warnings = new Set(context.prepared?.warnings);
  const prepared: RunContext = { ...context, prepared: { results, warnings } };
  const run = newScope(prepared, (text) => warnings.add(text));
  for (const preparation of preparations) {
    results.set(preparation.key, yield* preparation.compute({ run, source, repository }));
  }
  for (const warning of undecidedWarnings(run.searches.undecided)) warnings.add(warning);
  return prepared;
}

/** The result of a preparation. @throws TypeError if the run was opened without it. */
export function preparedResult<T>(run: RunScope, key: object): T {
  if (run.prepared?.results.has(key)) return run.prepared.results.get(key) as T;
  throw new TypeError(
    'This query needs the results of other queries first: open it with the context that prepare() gives.',
  );
}
