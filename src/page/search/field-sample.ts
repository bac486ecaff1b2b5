import { computed, signal } from '@preact/signals';
import { type LogRecord, toRecord } from '../records/log-record.ts';
import { DURATION, isNumber, unitOf } from '../records/units.ts';
import { forEachKey } from '../state/for-each-key.ts';
import { repository, search, searchResult, set } from '../state/page-state.ts';
import { facts, records, table } from '../state/results.ts';
import { searchInput } from './run-search.ts';

const MAX_RECORDS = 500;

/** The newest input events of an aggregate. */
const readByAggregate = signal<readonly LogRecord[]>([]);

/** Records from which fields are known: the newest visible ones, or the newest input of an aggregate. */
export const fieldSample = computed(() =>
  (table.value === undefined ? records.value : readByAggregate.value).slice(-MAX_RECORDS),
);

/** The duration field that occurs most often in records with a field. */
export function durationBeside(field: string): string | undefined {
  const counts = new Map<string, number>();
  for (const { row } of fieldSample.peek()) {
    if (row[field] === undefined) continue;
    for (const name in row) {
      const isDuration = unitOf(name) === 'ms' || DURATION.test(name);
      if (name === field || !isDuration || !isNumber(row[name])) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/** Whether a field contains amounts, by its name and values. Their average is more useful than their frequencies. */
export function isAmount(field: string): boolean {
  return unitOf(field) !== undefined && isNumeric(field);
}

/** Whether a field contains numbers only. */
export function isNumeric(field: string): boolean {
  const values = fieldSample.peek().flatMap(({ row }) => row[field] ?? []);
  return values.length > 0 && values.every(isNumber);
}

/** Loads a sample for each aggregate. */
export function startFieldSample(): void {
  const key = (): string | undefined => {
    if (table.value === undefined || facts.value === undefined) return undefined;
    const { start, end } = search.value;
    return JSON.stringify([repository.value, facts.value.filterQuery, start, end]);
  };
  forEachKey(key, (signal) => {
    const query = { ...searchInput(search.value), queryString: facts.value!.filterQuery, signal };
    searchResult(query).then(
      ({ events }) => set(readByAggregate, events.map(toRecord)),
      // The fields stay those of the last sample.
      () => {},
    );
  });
}
