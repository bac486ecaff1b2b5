import { compareSortKeys, readField, sortInSlices, sortKey } from '../../engine/index.ts';
import { nextQueryTurn, runInSlices } from '../event-loop.ts';
import { malformed } from '../http/http-error.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import type { QueryResult } from './result-collector.ts';

export interface ResultPage {
  readonly rows: readonly StoredEvent[];
  readonly total: number;
}

export const NO_ROWS: ResultPage = { rows: [], total: 0 };

/**
 * The page of the result that the parameters of a poll select.
 *
 * @throws HttpError 400 for invalid parameters.
 */
export async function pageOf(
  result: QueryResult,
  parameter: (name: string) => string | undefined,
): Promise<ResultPage> {
  const offset = readCount('paginationOffset', parameter) ?? 0;
  const limit = readCount('paginationLimit', parameter) ?? Number.POSITIVE_INFINITY;
  const rows = await sortRows(result.rows, parameter('sortBy'), parameter('sortOrder') ?? 'asc');
  return { rows: rows.slice(offset, offset + limit), total: result.rows.length };
}

function readCount(name: string, parameter: (name: string) => string | undefined): number | undefined {
  const text = parameter(name);
  if (text === undefined || text === '') return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw malformed(`The query parameter '${name}' must be a whole number of at least 0.`);
}

async function sortRows(
  rows: readonly StoredEvent[],
  sortBy: string | undefined,
  sortOrder: string,
): Promise<readonly StoredEvent[]> {
  if (sortBy === undefined || sortBy === '') return rows;
  if (sortOrder !== 'asc' && sortOrder !== 'desc') {
    throw malformed("The query parameter 'sortOrder' must be asc or desc.");
  }
  const direction = sortOrder === 'asc' ? 1 : -1;
  const compare = (left: StoredEvent, right: StoredEvent): number =>
    compareSortKeys(sortKey(readField(left, sortBy)), sortKey(readField(right, sortBy)), direction);
  return runInSlices(sortInSlices(rows, compare), nextQueryTurn);
}
