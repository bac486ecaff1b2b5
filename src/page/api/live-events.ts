import type { QuerySource } from '../../client/tail/query-source.ts';
import { tailOfPlan } from '../../client/tail/tail.ts';
import { resolveTailOptions } from '../../client/tail/tail-options.ts';
import { type Row, toRow } from './rows.ts';

export interface LiveEventsOptions {
  readonly queryString: string;
  readonly onState: (state: 'live' | 'reconnecting') => void;
  readonly signal: AbortSignal;
}

/** Records that arrived this long before the tail are included, in case the search just missed them. */
const OVERLAP = '10s';

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
  const plan = {
    ...resolveTailOptions({
      start: OVERLAP,
      signal,
      onReconnect: () => onState('reconnecting'),
      onSkip: () => {},
    }),
    isResumed: true,
    byArrival: true,
    onAlive: () => onState('live'),
  };
  for await (const event of tailOfPlan<Row>(source, queryString, plan)) yield toRow(event);
}
