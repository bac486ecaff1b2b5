import { defineTimePart } from '../time/time-part.ts';

/** The second of a time, from 0 to 59. */
export const timeSecond = defineTimePart('second', (local) => local.getUTCSeconds());
