import { defineSelectFrom } from '../aggregates/select-from-extreme.ts';

/** Fields of the event with the largest number in a field; of several, the first. */
export const selectFromMax = defineSelectFrom('selectFromMax', (number, best) => number > best);
