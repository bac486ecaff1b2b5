import type { LogEvent } from './wire/query.ts';

/** The ID of an event; rows of an aggregate function have none. */
export function idOf(event: object): string | undefined {
  const { '@id': id } = event as LogEvent;
  return typeof id === 'string' ? id : undefined;
}

/** Reads of `@id`: selected fields, and comparisons, as `eval(@id="…")` has `(` or `,` before the name. */
const READS_ID = /\bselect\s*\(\s*\[[\w\s@#.,"]*\]\s*\)|(?<![(,]\s*)@id\s*!?=\s*["/]/gi;

/** Whether a query may write `@id`, which then proves nothing: its text has the name, and not only to read it. */
export function mayWriteId(queryString: string): boolean {
  return queryString.replaceAll(READS_ID, '').includes('@id');
}

/** A time of an event in epoch milliseconds, NaN if it has none. */
export function timeOf(event: object, field: TimeField = '@timestamp'): number {
  return Number((event as LogEvent)[field] ?? Number.NaN);
}

export type TimeField = '@timestamp' | '@ingesttimestamp';

/** Whether an event has an ID and a time, so that repetitions are recognized. */
export function hasPlace(event: object): boolean {
  return idOf(event) !== undefined && Number.isFinite(timeOf(event));
}

/** Whether the events of a query are recognized when they are read again. */
export function haveOwnIds(events: readonly object[], queryString: string): boolean {
  return !mayWriteId(queryString) && events.every(hasPlace);
}

/** Whether all events have a time, and are sorted newest first. */
export function isNewestFirst(events: readonly object[]): boolean {
  return events.every((event, index) => timeOf(event) <= timeOf(events[Math.max(0, index - 1)]!));
}

/** IDs end in counters: `…_9_…` comes before `…_10_…`. */
let collator: Intl.Collator | undefined;

function compareIds(left: string, right: string): number {
  collator ??= new Intl.Collator('en', { numeric: true }); // Its first use takes 20 ms.
  return collator.compare(left, right);
}

/**
 * Sorts events by `field` and `@id`, oldest first, in place. Rows without an ID keep their order within a millisecond;
 * all rows do if one has no time.
 */
export function sortByTime<Row extends object>(rows: Row[], field?: TimeField): Row[] {
  if (rows.some((row) => Number.isNaN(timeOf(row, field)))) return rows;
  return rows.sort(
    (left, right) =>
      timeOf(left, field) - timeOf(right, field) || compareIds(idOf(left) ?? '', idOf(right) ?? ''),
  );
}
