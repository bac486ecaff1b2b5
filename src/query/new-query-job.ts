import { abortable } from '../internal/abortable.ts';
import type { CallOptions } from '../web/call-options.ts';
import type { QueryInput } from '../wire/query.ts';
import { postQueryJob, type QueryScope } from './query-endpoint.ts';

/** After an abort, the service still gets so long to tell the id of the job that is to be deleted. */
const LATE_ANSWER_MS = 2_000;

/**
 * Creates a job on the service. Who aborts while that is under way is not kept waiting, but the job that comes of it
 * must not stay, a live one for an hour: it is deleted as soon as its id is known.
 */
export async function newQueryJob<Job extends AsyncDisposable>(
  scope: QueryScope,
  input: QueryInput,
  { signal, ...call }: CallOptions,
  make: (id: string) => Job,
): Promise<Job> {
  if (signal === undefined) return make(await postQueryJob(scope, input, call));
  signal.throwIfAborted();
  const giveUp = new AbortController();
  const creation = postQueryJob(scope, input, { ...call, signal: giveUp.signal });
  try {
    return make(await abortable(creation, signal));
  } catch (error) {
    if (signal.aborted) void deleteLate(creation.then(make), giveUp);
    throw error;
  }
}

async function deleteLate(creation: Promise<AsyncDisposable>, giveUp: AbortController): Promise<void> {
  const timer = setTimeout(() => giveUp.abort(), LATE_ANSWER_MS);
  try {
    await (await creation)[Symbol.asyncDispose]();
  } catch {
    // No job was created, or nobody will ever know its id.
  } finally {
    clearTimeout(timer);
  }
}
