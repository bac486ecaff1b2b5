import type { EventSource, Plan, RunContext } from '../../query-engine/index.ts';
import { nextTurn } from '../event-loop.ts';
import type { QueryLimits } from './query-limits.ts';
import { workSlices } from './query-slices.ts';

export interface PreparationOptions {
  readonly plan: Plan;
  readonly context: RunContext;
  readonly source: EventSource;
  readonly limits: QueryLimits;
  /** Whether nobody wants the result any more. */
  readonly isStopped: () => boolean;
}

/**
 * Runs the queries inside a query, a slice of time after the other.
 *
 * @returns the context to open the run with; `undefined` when it was stopped.
 * @throws QueryTimeoutError when that takes too long.
 */
export async function preparedContext(options: PreparationOptions): Promise<RunContext | undefined> {
  const { plan, context, source, limits, isStopped } = options;
  const slices = workSlices(plan.prepare(context, source), limits);
  for (let next = slices.next(); ; next = slices.next()) {
    if (next.done === true) return next.value;
    await nextTurn();
    if (isStopped()) return undefined;
  }
}
