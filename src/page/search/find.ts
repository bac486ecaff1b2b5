import { computed, signal } from '@preact/signals';
import type { LogRecord } from '../records/log-record.ts';
import { placeOf, selectedRecord, selectRecord, shownRecords } from './selection.ts';

/** The text to find in the loaded records; empty for none. */
export const findText = signal('');

/** The place of the first visible record. */
export const firstVisible = { place: 0 };

/** Places of the loaded records with the text in any field, top to bottom. */
export const foundPlaces = computed((): readonly number[] => {
  const text = findText.value.toLowerCase();
  const hasText = ({ row }: LogRecord): boolean =>
    Object.values(row).some((value) => String(value).toLowerCase().includes(text));
  return text === '' ? [] : shownRecords.value.flatMap((record, place) => (hasText(record) ? place : []));
});

/** Selects the next record with the text, from the selected or the first visible one, or the one before for a negative step. */
export function moveToFound(step: 1 | -1): void {
  const [found, selected] = [foundPlaces.value, placeOf(selectedRecord.value)];
  const from = selected === -1 ? (step > 0 ? firstVisible.place - 1 : Number.POSITIVE_INFINITY) : selected;
  const next = step > 0 ? found.find((place) => place > from) : found.findLast((place) => place < from);
  selectRecord(shownRecords.value[next ?? found.at((step - 1) / 2)!]);
}
