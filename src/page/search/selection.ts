import { signal } from '@preact/signals';
import type { LogRecord } from '../records/log-record.ts';
import { search } from '../state/page-state.ts';
import { isInGivenOrder, records } from '../state/results.ts';
import { follow } from './run-search.ts';

/** ID of the record that is selected with the keyboard. */
export const selectedRecord = signal<string | undefined>(undefined);
/** ID of the open record. */
export const openRecord = signal<string | undefined>(undefined);
/** ID of the record to scroll to. */
export const revealedRecord = signal<string | undefined>(undefined);

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
  const isReversed = search.value.order === 'newest-first' && !isInGivenOrder.value;
  const shown = isReversed ? records.value.toReversed() : records.value;
  const from = shown.findIndex(({ id }) => id === selectedRecord.value);
  let place = from === -1 ? (search.value.order === 'newest-last' ? shown.length : -1) : from;
  if (from === -1 && step > 0 && place === shown.length) place = shown.length - 2;
  do place += step;
  while (shown[place] !== undefined && !matches(shown[place]!));
  const record = shown[place];
  if (record === undefined) return;
  follow(false);
  if (openRecord.value !== undefined) openRecord.value = record.id;
  selectedRecord.value = record.id;
  revealedRecord.value = record.id;
}
