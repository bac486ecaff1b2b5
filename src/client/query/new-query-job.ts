import { abortable } from '../../core/abortable.ts';
import type { AttemptOptions, CallOptions } from '../../core/http/call-options.ts';
import type { RetryPlan } from '../../core/http/retry.ts';
import type { QueryInput } from '../../core/wire/query.ts';
import type { BaseQueryJob } from './base-query-job.ts';
import { postQueryJob, type QueryScope } from './query-endpoint.ts';

/** After an abort, how long to wait for the ID of the job, to delete it. */
const LATE_ID_MS = 2_000;

/**
 * Creates a job on the service. Retries a static job as `plan` says, because it expires by itself. An abort rejects
 * immediately; the job is deleted in the background as soon as its ID is known, because a live job would run for another
 * hour.
 */
export function newQueryJob<Job extends BaseQueryJob<object>>(
  scope: QueryScope,
  input: QueryInput,
  options: CallOptions,
  make: (id: string) => Job,
  plan?: RetryPlan,
): Promise<Job> {
  const create = async ({ signal, ...call }: AttemptOptions): Promise<Job> => {
    if (signal === undefined) return make(await postQueryJob(scope, input, call));
    signal.throwIfAborted();
    const giveUp = new AbortController();
    const creation = postQueryJob(scope, input, { ...call, signal: giveUp.signal });
    try {
      return make(await abortable(creation, signal));
    } catch (error) {
      if (!signal.aborted) throw error;
      const timer = setTimeout(() => giveUp.abort(), LATE_ID_MS);
      const deletion = creation.then((id) => make(id)[Symbol.asyncDispose](options));
      // No job was created, or its ID is unknown.
      deletion.catch(() => {}).finally(() => clearTimeout(timer));
      throw error;
    }
  };
  return scope.webCaller.retry(options, create, { ...plan, isChange: input.isLive === true });
}
