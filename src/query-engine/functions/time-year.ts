import { defineTimePart } from '../time/time-part.ts';

/** The year of a time. */
export const timeYear = defineTimePart('year', (local) => local.getUTCFullYear());
