import { ApiError, type Http } from './http.ts';
import { type JobResult, type QueryInput, toRow } from './types.ts';

const MIN_POLL_MS = 30;

/** Polls are kept apart by what the service asks for, but at most by this. */
const MAX_POLL_MS = 20_000;

/**
 * Runs a query job and yields each result: for a static query until it is done, for a live one until the caller stops.
 * The job is deleted at the end, and created anew if the service no longer knows it.
 */
export async function* queryJob(
  http: Http,
  repository: string,
  input: QueryInput,
  signal: AbortSignal,
): AsyncGenerator<JobResult> {
  const path = `api/v1/repositories/${encodeURIComponent(repository)}/queryjobs`;
  const create = async (): Promise<string> => {
    const { id } = await http.json<{ id: string }>('POST', path, { body: input, signal });
    return `${path}/${encodeURIComponent(id)}`;
  };
  let job = await create();
  try {
    while (!signal.aborted) {
      let result: JobResult;
      try {
        result = await http.json<JobResult>('GET', job, { signal });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
        job = await create();
        continue;
      }
      for (const row of result.events) toRow(row);
      yield result;
      if (result.done && input.isLive !== true) return;
      await pause(clamp(result.metaData.pollAfter ?? 1000), signal);
    }
  } finally {
    // The service ends jobs that are not polled, so a failure doesn't matter.
    void http.send('DELETE', job).catch(() => {});
  }
}

/** The complete result of a static query. @throws AbortError if the signal aborts before it is complete */
export async function queryResult(
  http: Http,
  repository: string,
  input: QueryInput,
  signal: AbortSignal,
): Promise<JobResult> {
  let last: JobResult | undefined;
  for await (const result of queryJob(http, repository, input, signal)) last = result;
  if (last?.done !== true) throw new DOMException('The query was canceled.', 'AbortError');
  return last;
}

function clamp(pollAfterMs: number): number {
  return Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, pollAfterMs));
}

/** Resolves after a time, or at once when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
  });
}
