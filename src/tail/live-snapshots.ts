import { LogQueryJobCancelledException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { callOptionsOf } from '../web/call-options.ts';
import { isTransient } from '../web/transient.ts';
import { isJobGone } from './job-gone.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

export interface LiveSnapshotsOptions {
  readonly source: QuerySource;
  readonly queryString: string;
  readonly query: QueryOptions;
  /** Also yields what a job has found while it still searches the past. @default false */
  readonly partial?: boolean | undefined;
  /** Hears of each failure that is made good, before the wait for the next attempt. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A service that cancels one job after the other finds the query too expensive, and will not change its mind. */
const MAX_CANCELLATIONS = 4;

/** A job that has shown its whole result and lasted this long was a good one: the next failure is a first one again. */
const STABLE_AFTER_MS = 10_000;

/**
 * The result of a live query again and again, as often as the service likes to be asked. A job that expires is created
 * anew, a service that can't be reached for a while is waited for; only the first contact has to work. Every job is
 * deleted.
 */
export async function* liveSnapshots<Row extends object>(
  options: LiveSnapshotsOptions,
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const { source, queryString, query, partial = false, onFailure } = options;
  const call = { ...callOptionsOf('watch', query), onRetry: onFailure };
  let job: LiveQueryJob<Row> | undefined;
  let hasBegun = false;
  let begunAt = 0;
  let failures = 0;
  try {
    for (;;) {
      let result: PollResult<Row>;
      try {
        if (job === undefined) {
          job = await source.createQueryJob<Row>(queryString, { ...query, isLive: true });
          begunAt = performance.now();
        }
        hasBegun = true;
        result = partial ? await job.peek(call) : await job.poll(call);
      } catch (error) {
        query.signal?.throwIfAborted();
        const isGone = isJobGone(error);
        if (isGone) job = undefined;
        else if (!hasBegun || !isTransient(error)) throw error;
        if (error instanceof LogQueryJobCancelledException && failures >= MAX_CANCELLATIONS) throw error;
        // A first loss is made good at once, a service that loses every job is not hammered.
        const delayMs = isGone && failures === 0 ? 0 : reconnectDelayMs(failures, error);
        onFailure?.(error);
        if (delayMs > 0) await delay(delayMs, query.signal);
        failures++;
        continue;
      }
      if (result.isDone && performance.now() - begunAt >= STABLE_AFTER_MS) failures = 0;
      yield result;
    }
  } finally {
    await job?.[Symbol.asyncDispose]();
  }
}
