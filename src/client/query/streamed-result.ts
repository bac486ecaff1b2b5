import type { CallOptions } from '../../core/http/call-options.ts';
import type { QueryInput, QueryMetadata } from '../../core/wire/query.ts';
import { timeOf } from './event-order.ts';
import type { PollResult } from './poll-result.ts';
import type { QueryScope } from './query-endpoint.ts';
import { sameRow } from './same-rows.ts';
import { streamRows } from './streaming-query.ts';

export interface StreamedResultOptions<Row extends object> {
  /** The result of a job for the same query: its newest events, newest first. */
  readonly first: PollResult<Row>;
  readonly call: CallOptions;
  readonly maxRows: number;
}

/**
 * All events of a query whose rows have no time, newest first, by the streaming endpoint: a job returns only the newest
 * 200.
 *
 * @returns undefined if the stream has only the rows of the job, because some editions of the service limit it to the
 * same number.
 */
export async function streamedResult<Row extends object>(
  scope: QueryScope,
  input: QueryInput,
  { first, call, maxRows }: StreamedResultOptions<Row>,
): Promise<Row[] | undefined> {
  // The interval of the job, so that later events don't shift the result.
  const { queryStart = input.start, queryEnd = input.end } = first.metadata as Partial<QueryMetadata>;
  const interval = {
    ...(queryStart === undefined ? {} : { start: queryStart }),
    ...(queryEnd === undefined ? {} : { end: queryEnd }),
  };
  const rows: Row[] = [];
  for await (const row of streamRows<Row>(scope, { ...input, ...interval }, call)) rows.push(row);
  if (rows.length <= first.events.length) return undefined;
  return newestFirst(rows, first.events[0]).slice(0, maxRows);
}

/** The order of a stream is not documented, so the position of the newest event decides. */
function newestFirst<Row extends object>(rows: Row[], newest: Row | undefined): Row[] {
  const [begin, end] = [rows[0], rows.at(-1)];
  if (newest !== undefined && end !== undefined && begin !== undefined) {
    if (sameRow(end, newest) && !sameRow(begin, newest)) rows.reverse();
  }
  if (rows.some((row) => Number.isNaN(timeOf(row)))) return rows;
  return rows.sort((left, right) => timeOf(right) - timeOf(left));
}
