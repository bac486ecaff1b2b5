import { defineSelectFrom } from '../aggregates/select-from-extreme.ts';

/** Fields of the event with the smallest number in a field; of several, the first. */
export const selectFromMin = defineSelectFrom('selectFromMin', (number, best) => number < best);
