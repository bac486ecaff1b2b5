import { LogQueryJobCancelledException, LogQueryJobExpiredException } from '../errors.ts';
import { delay } from '../internal/delay.ts';
import type { LiveQueryJob } from '../query/live-query-job.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { callOptionsOf } from '../web/call-options.ts';
import { isTransient } from '../web/transient.ts';
import type { LogEvent } from '../wire/query.ts';
import type { QuerySource } from './query-source.ts';
import { reconnectDelayMs } from './reconnect-delay.ts';

/**
 * The result of a live query again and again, as often as the service likes to be asked. A job that expires is created
 * anew, a service that can't be reached for a while is waited for; only the first contact has to work. Every job is
 * deleted.
 */
export async function* liveSnapshots<Row extends LogEvent>(
  source: QuerySource,
  queryString: string,
  options: QueryOptions,
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const call = callOptionsOf(options);
  let job: LiveQueryJob<Row> | undefined;
  let hasBegun = false;
  let failures = 0;
  try {
    for (;;) {
      let result: PollResult<Row>;
      try {
        job ??= await source.createQueryJob<Row>(queryString, { ...options, isLive: true });
        result = await job.poll(call);
      } catch (error) {
        options.signal?.throwIfAborted();
        const isGone = isJobGone(error);
        if (isGone) job = undefined;
        else if (!hasBegun || !isTransient(error)) throw error;
        // A first loss is made good at once, a service that loses every job is not hammered.
        if (!isGone || failures > 0) await delay(reconnectDelayMs(failures, error), options.signal);
        failures++;
        continue;
      }
      hasBegun = true;
      failures = 0;
      yield result;
    }
  } finally {
    await job?.[Symbol.asyncDispose]();
  }
}

function isJobGone(error: unknown): boolean {
  return error instanceof LogQueryJobExpiredException || error instanceof LogQueryJobCancelledException;
}
