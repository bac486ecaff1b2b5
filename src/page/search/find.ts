import { computed, signal } from '@preact/signals';
import type { LogRecord } from '../records/log-record.ts';
import { records } from '../state/results.ts';
import { moveSelection } from './selection.ts';

/** The text to find in the loaded records; empty for none. */
export const findText = signal('');

/** IDs of the loaded records with the text in any field, oldest first. */
export const foundRecords = computed((): ReadonlySet<string> => {
  const text = findText.value.toLowerCase();
  const hasText = ({ row }: LogRecord): boolean =>
    Object.values(row).some((value) => String(value).toLowerCase().includes(text));
  return new Set(text === '' ? [] : records.value.filter(hasText).map(({ id }) => id));
});

/** Selects the next record with the text, or an earlier one for a negative step. */
export function moveToFound(step: number): void {
  moveSelection(step, ({ id }) => foundRecords.value.has(id));
}
