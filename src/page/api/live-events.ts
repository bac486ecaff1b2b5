import { LIVE_IDLE_MS } from '../../client/query/streaming-query.ts';
import type { QuerySource } from '../../client/tail/query-source.ts';
import { tailOfPlan } from '../../client/tail/tail.ts';
import type { TailPlan } from '../../client/tail/tail-options.ts';
import { type Row, toRow } from './rows.ts';

export interface LiveEventsOptions {
  readonly queryString: string;
  readonly onState: (state: 'live' | 'reconnecting') => void;
  readonly signal: AbortSignal;
}

/** Records that arrived this long before a connection are included, in case the search or the last one missed them. */
const OVERLAP_MS = 10_000;

/**
 * The events of a query as they arrive, each once. Reconnects, also if the first connection fails, because the search
 * has reached the service before.
 *
 * @throws LogHTTPException if the service has no streams, or rejects the query or the token
 */
export async function* liveEvents(
  source: QuerySource,
  { queryString, onState, signal }: LiveEventsOptions,
): AsyncGenerator<Row, void, undefined> {
  const plan: TailPlan = {
    query: { signal },
    last: undefined,
    startMs: OVERLAP_MS,
    sinceMs: Number.NEGATIVE_INFINITY,
    overlapMs: OVERLAP_MS,
    idleTimeoutMs: LIVE_IDLE_MS,
    isResumed: true,
    byArrival: true,
    onAlive: () => onState('live'),
    onReconnect: () => onState('reconnecting'),
    onSkip: () => {},
  };
  for await (const event of tailOfPlan<Row>(source, queryString, plan)) yield toRow(event);
}
