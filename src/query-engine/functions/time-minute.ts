import { defineTimePart } from '../time/time-part.ts';

/** The minute of a time, from 0 to 59. */
export const timeMinute = defineTimePart('minute', (local) => local.getUTCMinutes());
