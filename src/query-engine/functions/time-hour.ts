import { defineTimePart } from '../time/time-part.ts';

/** The hour of a time, from 0 to 23. */
export const timeHour = defineTimePart('hour', (local) => local.getUTCHours());
