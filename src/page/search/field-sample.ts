import { computed, effect, signal } from '@preact/signals';
import { LEVEL_FIELDS } from '../../core/records/record-fields.ts';
import { queryResult } from '../api/queries.ts';
import { type LogRecord, toRecord } from '../records/log-record.ts';
import { repository, search, sourceOf } from '../state/page-state.ts';
import { facts, records, table } from '../state/results.ts';
import { INITIAL_STATE } from '../state/search-state.ts';
import { unitOf } from './result-shape.ts';
import { searchInput } from './run-search.ts';

const MAX_RECORDS = 500;

/** The newest records that an aggregate reads. */
const readByAggregate = signal<readonly LogRecord[]>([]);

/** Records whose fields are known: the newest ones that are shown, or that an aggregate reads. */
export const fieldSample = computed(() =>
  (table.value === undefined ? records.value : readByAggregate.value).slice(-MAX_RECORDS),
);

/** The fields in which the records have their level, with those of the level buttons that are on. */
export function levelFields(): readonly string[] {
  const sample = fieldSample.peek();
  const { levels, levelFields: chosen } = search.peek();
  const known = levels.length > 0 ? chosen : [];
  const found = LEVEL_FIELDS.filter(
    (name) => known.includes(name) || sample.some(({ row }) => row[name] !== undefined),
  );
  return found.length > 0 ? found : INITIAL_STATE.levelFields;
}

let loading: Promise<void> | undefined;

/** Resolves once the sample is that of the result that is shown. */
export async function sampleOfResult(): Promise<void> {
  // The result may have arrived just now, and the sample is requested in the same turn.
  await Promise.resolve();
  await loading;
}

/** The field of durations that most of the records with a field have. */
export function durationBeside(field: string): string | undefined {
  const counts = new Map<string, number>();
  for (const { row } of fieldSample.peek()) {
    if (row[field] === undefined) continue;
    for (const name in row) {
      if (name === field || unitOf(name) !== 'ms' || !isNumber(row[name])) continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, left], [, right]) => right - left)[0]?.[0];
}

/** Whether a field has amounts, by its name and values: their average tells more than how often each occurs. */
export function isAmount(field: string): boolean {
  const values = fieldSample.peek().flatMap(({ row }) => row[field] ?? []);
  return unitOf(field) !== undefined && values.length > 0 && values.every(isNumber);
}

function isNumber(value: string | number | undefined): boolean {
  return value !== undefined && value !== '' && Number.isFinite(Number(value));
}

/** Loads the sample of each aggregate. */
export function startFieldSample(): void {
  let previous = '';
  let current = new AbortController();
  effect(() => {
    if (table.value === undefined) loading = undefined;
    if (table.value === undefined || facts.value === undefined) return;
    const { start, end } = search.value;
    const asked = JSON.stringify([repository.value, facts.value.filterQuery, start, end]);
    if (asked === previous) return;
    previous = asked;
    current.abort();
    current = new AbortController();
    const { signal } = current;
    const query = { ...searchInput(search.value), queryString: facts.value.filterQuery, signal };
    loading = queryResult(sourceOf(repository.value), query).then(
      ({ events }) => {
        readByAggregate.value = events.map(toRecord);
      },
      // Without it, the fields are those of the last sample.
      () => {},
    );
  });
}
