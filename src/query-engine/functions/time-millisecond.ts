import { defineTimePart } from '../time/time-part.ts';

/** The milliseconds of a time, from 0 to 999. */
export const timeMillisecond = defineTimePart('millisecond', (local) => local.getUTCMilliseconds());
