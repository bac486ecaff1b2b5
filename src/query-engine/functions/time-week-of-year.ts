import { defineTimePart, weekOfYear } from '../time/time-part.ts';

/** The week of the year of a time by ISO 8601, from 1 to 53. */
export const timeWeekOfYear = defineTimePart('weekOfYear', weekOfYear);
