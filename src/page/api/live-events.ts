import { type Http, isTransient } from './http.ts';
import { pause, queryJob } from './query-jobs.ts';
import { queryStream } from './query-stream.ts';
import type { Row } from './types.ts';

export interface LiveEventsOptions {
  readonly repository: string;
  readonly queryString: string;
  readonly onState: (state: 'live' | 'reconnecting') => void;
  readonly signal: AbortSignal;
}

/** Records that arrived this long before a stream opened are requested again, in case they were just missed. */
const OVERLAP_MS = 10_000;
const RETRY_MS = { first: 250, last: 5_000 };
/** IDs by which repeated records are recognized: more than arrive within the overlap. */
const MAX_KNOWN_IDS = 100_000;

/**
 * The events of a filter query as they arrive, each once. Reconnects when the stream ends, and then also reads what
 * arrived in between.
 *
 * @throws ApiError if the service has no streams, or rejects the query or the token.
 */
export async function* liveEvents(http: Http, options: LiveEventsOptions): AsyncGenerator<readonly Row[]> {
  const { repository, queryString, onState, signal } = options;
  const known = new Set<string>();
  let arrivedAt = Date.now();
  let retryMs = RETRY_MS.first;
  while (!signal.aborted) {
    const start = `${Math.max(0, Date.now() - arrivedAt) + OVERLAP_MS}ms`;
    // By time of arrival: records may be logged long before they are sent.
    const input = { queryString, start, isLive: true, useIngestTime: true };
    try {
      for await (const rows of queryStream(http, repository, input, signal)) {
        onState('live');
        retryMs = RETRY_MS.first;
        const fresh = rows.filter(({ '@id': id }) => !known.has(String(id)));
        for (const { '@id': id } of fresh) known.add(String(id));
        forgetOldest(known);
        arrivedAt = Date.now();
        if (fresh.length > 0) yield fresh;
      }
    } catch (error) {
      if (!isTransient(error)) throw error;
    }
    if (signal.aborted) return;
    onState('reconnecting');
    await pause(retryMs, signal);
    retryMs = Math.min(RETRY_MS.last, 2 * retryMs);
  }
}

/** The same for a service without streams, from polls of a live job. A poll has the newest 200 events: more are missed. */
export async function* polledEvents(
  http: Http,
  { repository, queryString, onState, signal }: LiveEventsOptions,
): AsyncGenerator<readonly Row[]> {
  const known = new Set<string>();
  const input = { queryString, start: `${OVERLAP_MS}ms`, isLive: true, useIngestTime: true };
  for await (const { events } of queryJob(http, repository, input, signal)) {
    onState('live');
    const fresh = events.filter(({ '@id': id }) => !known.has(String(id)));
    for (const { '@id': id } of fresh) known.add(String(id));
    forgetOldest(known);
    if (fresh.length > 0) yield fresh.toReversed();
  }
}

function forgetOldest(ids: Set<string>): void {
  for (const id of ids) {
    if (ids.size <= MAX_KNOWN_IDS) return;
    ids.delete(id);
  }
}
