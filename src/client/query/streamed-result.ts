import { hasPlace, haveOwnIds, idOf, isNewestFirst, timeOf } from '../../core/event-order.ts';
import type { CallOptions } from '../../core/http/call-options.ts';
import { isLogScale } from '../../core/http/service-kind.ts';
import type { QueryInput } from '../../core/wire/query.ts';
import { inInterval } from './older-events.ts';
import type { PollResult } from './poll-result.ts';
import type { QueryScope } from './query-endpoint.ts';
import { sameRow } from './same-rows.ts';
import { streamRows } from './streaming-query.ts';

export interface StreamedResultOptions<Row extends object> {
  /** The result of a job for the same query: its newest events, newest first. */
  readonly first: PollResult<Row>;
  readonly call: CallOptions;
  readonly maxRows: number;
  /** Called for each 200 rows, and with the number of all. */
  readonly onRows: (count: number) => void;
}

const ROWS_PER_REPORT = 200;

/** The callers whose service limits streams to as many rows as the result of a job. */
const capped = new WeakSet<object>();

/** Whether a stream, which is one request instead of several for each page, may have all events of a query. */
export function canStream({ service, webCaller }: QueryScope): boolean {
  return isLogScale(service) && !capped.has(webCaller);
}

/**
 * All events of a query, newest first, by the streaming endpoint: a job returns only the newest 200.
 *
 * @returns undefined if the stream has only the rows of the job, because some editions of the service limit it to the
 * same number.
 */
export async function streamedResult<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  { first, call, maxRows, onRows }: StreamedResultOptions<Row>,
): Promise<Row[] | undefined> {
  const streamed: Row[] = [];
  const query = inInterval(input, first.metadata);
  for await (const row of streamRows<Row>(scope, query, { ...call, stream: false })) {
    streamed.push(row);
    if (streamed.length % ROWS_PER_REPORT === 0) onRows(streamed.length);
  }
  if (streamed.length <= first.events.length) {
    capped.add(scope.webCaller);
    return undefined;
  }
  const all = haveOwnIds(first.events, input.queryString)
    ? complete(streamed, first.events)
    : newestFirst(streamed, first.events, sameRow);
  if (all === undefined) return undefined;
  onRows(Math.min(all.length, maxRows));
  return all.slice(0, maxRows);
}

/** The known events, then the others of the stream. `undefined` if the stream lacks one, so that it is not complete. */
function complete<Row extends object>(streamed: Row[], known: readonly Row[]): Row[] | undefined {
  const ids = new Set(streamed.map(idOf));
  const isWhole = streamed.every(hasPlace) && known.every((event) => ids.has(idOf(event)));
  if (ids.size < streamed.length || !isWhole) return undefined;
  const knownIds = new Set(known.map(idOf));
  const others = newestFirst(streamed, known, (left, right) => idOf(left) === idOf(right));
  return [...known, ...others.filter((row) => !knownIds.has(idOf(row)))];
}

/** The order of a stream is not documented, so the positions of the known events decide. */
function newestFirst<Row extends object>(
  rows: Row[],
  known: readonly Row[],
  isSame: (left: object, right: object) => boolean,
): Row[] {
  const isAtEnd = known.every((event, index) => isSame(rows[rows.length - 1 - index]!, event));
  const isAtStart = known.every((event, index) => isSame(rows[index]!, event));
  // Or events arrived after the known ones.
  const isReversed = (): boolean => {
    const [newest, oldest] = [known[0]!, known.at(-1)!].map((event) =>
      rows.findIndex((row) => isSame(row, event)),
    );
    return newest! > oldest!;
  };
  if (!isAtStart && (isAtEnd || isReversed())) rows.reverse();
  // A query may also write the times.
  if (!isNewestFirst(known) || rows.some((row) => Number.isNaN(timeOf(row)))) return rows;
  return rows.sort((left, right) => timeOf(right) - timeOf(left));
}
