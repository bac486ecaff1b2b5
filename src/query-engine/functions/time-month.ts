import { defineTimePart } from '../time/time-part.ts';

/** The month of a time, from 1 to 12. */
export const timeMonth = defineTimePart('month', (local) => local.getUTCMonth() + 1);
