import { closableGenerator } from '../internal/closable-generator.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import type { LogEvent } from '../wire/query.ts';
import { type LiveQueryOptions, queryOptionsOf } from './live-query-options.ts';
import { liveSnapshots } from './live-snapshots.ts';
import type { QuerySource } from './query-source.ts';

/**
 * The result of a live query, aggregates included, each time that it has changed. Survives expired jobs and dropped
 * connections; ends with `signal` or with the loop, and deletes its job.
 *
 * @throws LogOptionsException at once; everything else while iterating
 */
export function watch<Row extends LogEvent = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: LiveQueryOptions = {},
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const query = queryOptionsOf('watch', options);
  const closing = new AbortController();
  return closableGenerator(changes<Row>(source, queryString, query, closing), () => closing.abort());
}

async function* changes<Row extends LogEvent>(
  source: QuerySource,
  queryString: string,
  options: QueryOptions,
  closing: AbortController,
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const unlink = forwardAbort(options.signal, closing);
  let known: string | undefined;
  try {
    for await (const result of liveSnapshots<Row>(source, queryString, {
      ...options,
      signal: closing.signal,
    })) {
      const rows = JSON.stringify(result.events);
      if (rows !== known) yield result;
      known = rows;
    }
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  } finally {
    unlink();
  }
}
