import { LogQueryJobCancelledException } from '../../core/errors.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import { isTransientLater } from '../../core/http/transient.ts';
import type { BaseQueryJob } from '../query/base-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { LiveQueryOptions } from './live-query-options.ts';
import type { SourcedQuery } from './query-source.ts';
import { isJobGone, Reconnection, STABLE_AFTER_MS } from './reconnection.ts';

export interface JobSnapshotsOptions extends SourcedQuery, Pick<LiveQueryOptions, 'onReconnect' | 'onAlive'> {
  /** False ends with the complete result of a static query. @default true */
  readonly isLive?: boolean | undefined;
  /** Whether to yield partial results while a job searches existing events. @default false */
  readonly partial?: boolean | undefined;
}

/** A service that cancels consecutive jobs considers the query too expensive. */
const MAX_CANCELLATIONS = 4;

/**
 * Yields the result of a query repeatedly, at the poll interval of the service. Creates expired jobs again, and
 * waits while the service is unreachable; only the first connection must succeed. Deletes every job.
 */
export async function* jobSnapshots<Row extends object>(
  options: JobSnapshotsOptions,
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const { source, queryString, query, isLive = true, partial = false, onReconnect, onAlive } = options;
  // Failures after the first connection are retried here, without a limit.
  const call = { ...callOptionsOf('watch', query), maxRetries: 0 };
  const reconnection = new Reconnection();
  let job: BaseQueryJob<Row> | undefined;
  let hasBegun = false;
  let begunAt = 0;
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
        if (isJobGone(error)) job = undefined;
        else if (!hasBegun || !isTransientLater(error)) throw error;
        const isCanceled = error instanceof LogQueryJobCancelledException;
        if (isCanceled && reconnection.losses >= MAX_CANCELLATIONS) throw error;
        await reconnection.wait(error, { signal: query.signal, onReconnect });
        continue;
      }
      onAlive?.();
      if (result.isDone && performance.now() - begunAt >= STABLE_AFTER_MS) reconnection.succeed();
      yield result;
      if (!isLive && result.isDone) return;
    }
  } finally {
    void job?.[Symbol.asyncDispose](callOptionsOf('watch', query));
  }
}
