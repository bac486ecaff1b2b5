import { delay } from '../../core/delay.ts';
import { LogQueryJobCancelledException } from '../../core/errors.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import { isTransient } from '../../core/http/transient.ts';
import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { isJobGone } from './job-gone.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

export interface LiveSnapshotsOptions {
  readonly source: QuerySource;
  readonly queryString: string;
  readonly query: QueryOptions;
  /** Whether to yield partial results while a job searches existing events. @default false */
  readonly partial?: boolean | undefined;
  /** Called with each failure that is retried, before the delay. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A service that cancels consecutive jobs considers the query too expensive. */
const MAX_CANCELLATIONS = 4;

/** After a job that has shown a complete result and lasted this long, failures are counted from zero. */
const STABLE_AFTER_MS = 10_000;

/**
 * Yields the result of a live query repeatedly, at the poll interval of the service. Creates expired jobs again, and
 * waits while the service is unreachable; only the first connection must succeed. Deletes every job.
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
        // The first lost job is replaced immediately; repeated losses are delayed.
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
