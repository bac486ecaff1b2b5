import { LogOptionsException } from '../../core/errors.ts';
import { resolveQueryInput } from '../query/query-options.ts';
import type { StreamingQueryOptions } from '../query/streaming-query.ts';
import type { QuerySource } from './query-source.ts';
import { tailOfPlan } from './tail.ts';
import { resolveTailOptions } from './tail-options.ts';

/**
 * The rows of a live streaming query, for services without streaming: a tail that throws if its signal aborts.
 * `timeoutMs` limits each of its requests.
 *
 * @throws LogOptionsException immediately; all other errors while iterating
 */
export function liveRows<Row extends object>(
  source: QuerySource,
  queryString: string,
  { idleTimeoutMs: _, ...options }: StreamingQueryOptions,
): AsyncGenerator<Row, void, undefined> {
  resolveQueryInput('streamingQuery', queryString, options, ['idleTimeoutMs']);
  const { start = '24 hours', end: __, isLive: ___, ...query } = options;
  const { useIngestTime, ingestStart, ingestEnd } = query;
  if (useIngestTime === true || (ingestStart ?? ingestEnd) !== undefined) {
    throw new LogOptionsException(
      'streamingQuery: on Next-Gen SIEM, a live query can\'t have a range of ingest times. Use "start".',
    );
  }
  const plan = { ...resolveTailOptions({ start: String(start) }), query };
  return tailOfPlan<Row>(source, queryString, plan, { endsQuietly: false });
}
