import { joinsEvents } from '../../client/query/joins-events.ts';
import { streamingQuery } from '../../client/query/streaming-query.ts';
import { reconnectDelayMs } from '../../client/tail/reconnection.ts';
import { pause } from '../../core/delay.ts';
import { mayWriteId } from '../../core/event-order.ts';
import { isTransient } from '../../core/http/transient.ts';
import { type Row, toRow } from '../api/rows.ts';
import { fullQuery } from '../search/query-text.ts';
import { shownOrder } from '../search/result-shape.ts';
import { isListLive, searchInput } from '../search/run-search.ts';
import { repository, search, sourceOf } from '../state/page-state.ts';
import { facts, table, viewRows } from '../state/results.ts';
import { hasStreams, isMissingApi } from '../state/service.ts';

/** A query with an aggregate function has no row until it has read all events. */
const TIMEOUT_MS = 300_000;
/** Attempts to continue without a further row. */
const MAX_ATTEMPTS = 5;

/** All rows that the page shows, in the order of its table or chart. */
export async function* shownRows(signal: AbortSignal): AsyncGenerator<Row, void, undefined> {
  const { value: result } = table;
  if (viewRows.value !== undefined) return yield* viewRows.value();
  if (result === undefined || (facts.value?.isAggregate === false && search.value.sort === ''))
    return yield* allRows(signal);
  const rows: Row[] = [];
  for await (const row of allRows(signal)) rows.push(row);
  yield* shownOrder(result, rows, search.value);
}

/**
 * All rows of the result, each once. After a break, events continue where they ended.
 *
 * @throws the reason of the signal, or the error that ended the rows
 */
async function* allRows(signal: AbortSignal): AsyncGenerator<Row, void, undefined> {
  const { start, end } = facts.value ?? searchInput(search.value);
  const until = isListLive() ? 'now' : end;
  const query = { ...searchInput(search.value), start, end: until, signal, timeoutMs: TIMEOUT_MS };
  const queryString = fullQuery(search.value);
  const isOrdered = facts.value?.isAggregate === false && !joinsEvents(queryString);
  let canContinue = isOrdered && !mayWriteId(queryString);
  let time: number | undefined;
  /** Of the events of that time. */
  const ids = new Set<unknown>();
  for (let attempt = 0; ; attempt++) {
    try {
      const rest = { ...query, start: time ?? query.start };
      for await (const parsed of streamingQuery<Row>(sourceOf(repository.value), queryString, rest)) {
        const row = toRow(parsed);
        const [id, at] = [row['@id'], Number(row['@timestamp'])];
        canContinue &&= Boolean(id) && at >= (time ?? at);
        if (at !== time) ids.clear();
        time = at;
        if (canContinue && ids.has(id)) continue;
        ids.add(id);
        attempt = 0;
        yield row;
      }
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (hasStreams.value && isMissingApi(error)) hasStreams.value = false;
      else if (!canContinue || !isTransient(error) || attempt >= MAX_ATTEMPTS) throw error;
      else await pause(reconnectDelayMs(attempt, error), signal);
    }
  }
}
