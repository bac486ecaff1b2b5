import { defineTimePart } from '../time/time-part.ts';

/** The day of the month of a time, from 1. */
export const timeDayOfMonth = defineTimePart('dayOfMonth', (local) => local.getUTCDate());
