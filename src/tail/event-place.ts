import type { LogEvent } from '../wire/query.ts';

/** What tells an event from the others; rows of an aggregate function have none. */
export function idOf(event: object): string | undefined {
  const { '@id': id } = event as LogEvent;
  return typeof id === 'string' ? id : undefined;
}

export function hasId(event: object): boolean {
  return idOf(event) !== undefined;
}

/** The time of an event in epoch milliseconds, NaN if it has none. */
export function timeOf(event: object): number {
  return Number((event as LogEvent)['@timestamp'] ?? Number.NaN);
}

/** Whether it can be told when the same event comes again, and which of two came first. */
export function hasPlace(event: object): boolean {
  return hasId(event) && Number.isFinite(timeOf(event));
}

/** Sorts rows by their time, oldest first. Those of the same time stay as they are, and all do if one has no time. */
export function sortByTime<Row extends object>(rows: Row[]): Row[] {
  if (rows.some((row) => Number.isNaN(timeOf(row)))) return rows;
  return rows.sort((left, right) => timeOf(left) - timeOf(right));
}
