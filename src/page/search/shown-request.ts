import { computed } from '@preact/signals';
import { isError, type LogRecord } from '../records/log-record.ts';
import type { RequestFacts } from '../records/record-row.tsx';
import { search, update } from '../state/page-state.ts';
import { isStale, records } from '../state/results.ts';
import { filtersOf, NO_CONDITIONS } from '../state/search-state.ts';
import { idIn, isCondition, isOfRequest } from './request.ts';
import { openRecord } from './selection.ts';

/** Searches all records with the ID in a field, and shows them as a request. */
export function showRequest({ row }: LogRecord, name: string): void {
  const filters = filtersOf(isOfRequest(row, name));
  openRecord.value = undefined;
  update({ ...NO_CONDITIONS, filters, request: idIn(row, name), view: 'list' });
}

export interface ShownRequest extends RequestFacts {
  readonly id: string;
  /** Its records, oldest first. */
  readonly records: readonly LogRecord[];
}

/** The request whose records are shown, as long as they are filtered by its ID. */
export const shownRequest = computed((): ShownRequest | undefined => {
  const { request: id, filters } = search.value;
  if (id === '' || !filters.some(({ text, isOff }) => !isOff && isCondition(text, id))) return undefined;
  const all = isStale.value ? [] : records.value.toSorted((left, right) => left.time - right.time);
  return {
    id,
    records: all,
    start: all[0]?.time ?? 0,
    firstError: all.find(isError)?.id,
    fieldOf: ({ row }) =>
      Object.keys(row).find((name) => name[0] !== '@' && idIn(row, name) === id) ?? 'text',
  };
});
