import { closableGenerator } from '../internal/closable-generator.ts';
import { forwardAbort } from '../internal/forward-abort.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { sameRows } from '../query/same-rows.ts';
import type { LogEvent } from '../wire/query.ts';
import { type LiveQueryOptions, queryOptionsOf } from './live-query-options.ts';
import { liveSnapshots } from './live-snapshots.ts';
import type { QuerySource } from './query-source.ts';

/**
 * The result of a live query, aggregates included, each time that it has changed. While the service still searches the
 * past, `isDone` of the result is false, its rows are those found so far, and a step in its `progress` is a change too.
 * Survives expired jobs and dropped connections; ends with `signal` or with the loop, and deletes its job.
 *
 * @throws LogOptionsException at once; everything else while iterating
 */
export function watch<Row extends object = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: LiveQueryOptions = {},
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const query = queryOptionsOf('watch', options);
  const closing = new AbortController();
  return closableGenerator(changes<Row>(source, queryString, query, closing), () => closing.abort());
}

async function* changes<Row extends object>(
  source: QuerySource,
  queryString: string,
  options: QueryOptions,
  closing: AbortController,
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const unlink = forwardAbort(options.signal, closing);
  const query = { ...options, signal: closing.signal };
  let known: PollResult<Row> | undefined;
  /** Once the past was searched, a job that takes the place of a lost one searches it behind the scenes. */
  let hasHistory = false;
  try {
    for await (const result of liveSnapshots<Row>({ source, queryString, query, partial: true })) {
      if (hasHistory && !result.isDone) continue;
      hasHistory = result.isDone;
      if (known === undefined || hasChanged(known, result)) yield result;
      known = result;
    }
  } catch (error) {
    if (!closing.signal.aborted) throw error;
  } finally {
    unlink();
  }
}

function hasChanged(before: PollResult<object>, after: PollResult<object>): boolean {
  if (before.isDone !== after.isDone || before.progress !== after.progress) return true;
  return !sameRows(before.events, after.events);
}
