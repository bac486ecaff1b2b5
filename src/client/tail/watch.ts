import { ItemsOfBatches } from '../../core/items-of-batches.ts';
import type { LogEvent } from '../../core/wire/query.ts';
import type { PollResult } from '../query/poll-result.ts';
import { sameRows } from '../query/same-rows.ts';
import { type JobSnapshotsOptions, jobSnapshots } from './job-snapshots.ts';
import { type LiveQueryOptions, resolveLiveQueryOptions } from './live-query-options.ts';
import type { QuerySource } from './query-source.ts';

/**
 * See `LogClient.watch`. While the service searches existing events, progress counts as a change, too. Throws a
 * LogOptionsException immediately; all other errors while iterating.
 */
export function watch<Row extends object = LogEvent>(
  source: QuerySource,
  queryString: string,
  options: LiveQueryOptions = {},
): AsyncGenerator<PollResult<Row>, void, undefined> {
  const query = resolveLiveQueryOptions('watch', options);
  const { onReconnect, onAlive } = options;
  const open = (signal: AbortSignal) =>
    changes<Row>({ source, queryString, query: { ...query, signal }, onReconnect, onAlive, partial: true });
  return new ItemsOfBatches(open, { signal: query.signal, endsQuietly: true });
}

async function* changes<Row extends object>(
  options: JobSnapshotsOptions,
): AsyncGenerator<[PollResult<Row>], void, undefined> {
  let known: PollResult<Row> | undefined;
  /** After existing events were searched, a replacement job searches them without yielding partial results. */
  let hasHistory = false;
  for await (const result of jobSnapshots<Row>(options)) {
    if (hasHistory && !result.isDone) continue;
    hasHistory = result.isDone;
    const isSame =
      known?.isDone === result.isDone &&
      known.progress === result.progress &&
      sameRows(known.events, result.events);
    if (!isSame) yield [result];
    known = result;
  }
}
