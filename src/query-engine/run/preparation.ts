import type { Sink } from '../columns/event-table.ts';
import type { RunContext, RunScope } from './run-context.ts';
import { newScope } from './run-scope.ts';

/** An interval of a repository. Both ends belong to it; times are epoch milliseconds. */
interface EventInterval {
  /** `undefined`: the repository that the query is asked of. */
  readonly repository: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** Where the events of sub-queries come from. */
export interface EventSource {
  /** Hands the events of an interval to a sink in ascending order of time, bit by bit. */
  read(interval: EventInterval, sink: Sink): Generator<void>;
}

/** The run that is being prepared. */
export interface PreparingRun {
  /** Knows the results of the preparations before this one. */
  readonly run: RunScope;
  readonly source: EventSource;
  readonly repository: string | undefined;
}

/** Something to find out before the events of a query can run through its steps. Immutable, as plans are. */
export interface Preparation {
  /** The result is found by it. */
  readonly key: object;
  /** Whether it looks at events, so that the result may be another the next time. */
  readonly readsEvents: boolean;
  /** Computes the result bit by bit: yields whenever a little has been done. */
  compute(preparing: PreparingRun): Generator<void, unknown>;
}

/**
 * Computes preparations in order; each may use the results of those before it.
 *
 * @returns the context with everything that the run needs.
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
  return prepared;
}

/** The result of a preparation. @throws TypeError when the run was opened without it. */
export function preparedResult<T>(run: RunScope, key: object): T {
  if (run.prepared?.results.has(key)) return run.prepared.results.get(key) as T;
  throw new TypeError(
    'This query needs the results of other queries first: open it with the context that prepare() gives.',
  );
}
