import { delay } from '../../core/delay.ts';
import { LogQueryJobCancelledException } from '../../core/errors.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import { isTransientLater } from '../../core/http/transient.ts';
import type { BaseQueryJob } from '../query/base-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import { isJobGone } from './job-gone.ts';
import type { SourcedQuery } from './query-source.ts';
import { reconnectDelayMs, STABLE_AFTER_MS } from './reconnect-delay.ts';

export interface JobSnapshotsOptions extends SourcedQuery {
  /** False ends with the complete result of a static query. @default true */
  readonly isLive?: boolean | undefined;
  /** Whether to yield partial results while a job searches existing events. @default false */
  readonly partial?: boolean | undefined;
  /** Called with each failure that is retried, before the delay. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
}

/** A service that cancels consecutive jobs considers the query too expensive. */
const MAX_CANCELLATIONS = 4;

/**
 * Yields the result of a query repeatedly, at the poll interval of the service. Creates expired jobs again, and
 * waits while the service is unreachable; only the first connection must succeed. Deletes every job.
 */
export async function* jobSnapshots<Row extends object>({
  source,
  queryString,
  query,
  isLive = true,
  partial = false,
  onFailure,
}: JobSnapshotsOptions): AsyncGenerator<PollResult<Row>, void, undefined> {
  // Failures after the first connection are retried here, without a limit.
  const call = { ...callOptionsOf('watch', query), maxRetries: 0 };
  let job: BaseQueryJob<Row> | undefined;
  let hasBegun = false;
  let begunAt = 0;
  let failures = 0;
  try {
    for (;;) {
      let result: PollResult<Row>;
      try {
        if (job === undefined) {
          const given = hasBegun ? { ...query, ...call } : query;
          job = await source.createQueryJob<Row>(queryString, { ...given, isLive: isLive as true });
          begunAt = performance.now();
        }
        hasBegun = true;
        result = partial ? await job.peek(call) : await job.poll(call);
      } catch (error) {
        query.signal?.throwIfAborted();
        const isGone = isJobGone(error);
        if (isGone) job = undefined;
        else if (!hasBegun || !isTransientLater(error)) throw error;
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
      if (!isLive && result.isDone) return;
    }
  } finally {
    void job?.[Symbol.asyncDispose](callOptionsOf('watch', query));
  }
}
