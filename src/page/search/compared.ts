import { computed, signal } from '@preact/signals';
import { search, update } from '../state/page-state.ts';
import { extent, facts } from '../state/results.ts';
import { centeredAt } from './similar.ts';

/** Whether the next click on the histogram sets the moment. */
export const isChoosingMoment = signal(false);

/** The interval around the moment whose halves are compared; `undefined` without a moment that was searched. */
export const comparedInterval = computed(() => {
  const { moment, start } = search.value;
  const searched = start === 'all' ? extent.value : facts.value;
  return moment === '' || searched === undefined ? undefined : centeredAt(Number(moment), searched);
});

/** Compares the patterns of records before and after a moment, such as a deployment. */
export function compareAt(moment: number): void {
  isChoosingMoment.value = false;
  update({ moment: String(moment), view: 'patterns' });
}
