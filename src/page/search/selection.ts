import { computed, signal } from '@preact/signals';
import type { LogRecord } from '../records/log-record.ts';
import { search } from '../state/page-state.ts';
import { isInGivenOrder, records } from '../state/results.ts';
import { follow } from './run-search.ts';

const isReversed = computed(() => search.value.order === 'newest-first' && !isInGivenOrder.value);
/** The records, top to bottom. */
export const shownRecords = computed(() => (isReversed.value ? records.value.toReversed() : records.value));

/** ID of the record that is selected with the keyboard. */
export const selectedRecord = signal<string | undefined>(undefined);
/** ID of the open record. */
export const openRecord = signal<string | undefined>(undefined);
/** ID of the record to scroll to. */
export const revealedRecord = signal<string | undefined>(undefined);

/** The place of a record in the list, or -1. */
export function placeOf(recordId: string | undefined): number {
  return recordId === undefined ? -1 : shownRecords.value.findIndex(({ id }) => id === recordId);
}

/** Opens or closes a record. Opening one pauses the tail. */
export function toggleRecord({ id }: Pick<LogRecord, 'id'>): void {
  selectedRecord.value = id;
  openRecord.value = openRecord.value === id ? undefined : id;
  if (openRecord.value !== undefined) follow(false);
}

/** Closes the open record if the new search doesn't match it. */
export function keepOpenRecord(): void {
  if (records.value.some(({ id }) => id === openRecord.value)) follow(false);
  else openRecord.value = undefined;
}

/** Moves the selection down, or up for a negative step. */
export function moveSelection(step: number, matches: (record: LogRecord) => boolean = () => true): void {
  const shown = shownRecords.value;
  const from = placeOf(selectedRecord.value);
  let place = from === -1 ? (search.value.order === 'newest-last' ? shown.length : -1) : from;
  if (from === -1 && step > 0 && place === shown.length) place = shown.length - 2;
  do place += step;
  while (shown[place] !== undefined && !matches(shown[place]!));
  selectRecord(shown[place]);
}

/** Selects a record, if there is one, and scrolls to it. */
export function selectRecord(record: LogRecord | undefined): void {
  if (record === undefined) return;
  follow(false);
  if (openRecord.value !== undefined) openRecord.value = record.id;
  selectedRecord.value = record.id;
  revealedRecord.value = record.id;
}
