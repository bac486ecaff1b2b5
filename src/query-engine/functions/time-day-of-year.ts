import { dayOfYear, defineTimePart } from '../time/time-part.ts';

/** The day of the year of a time, from 1. */
export const timeDayOfYear = defineTimePart('dayOfYear', dayOfYear);
