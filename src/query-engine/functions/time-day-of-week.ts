import { dayOfWeek, defineTimePart } from '../time/time-part.ts';

/** The day of the week of a time, from 1 on Monday to 7 on Sunday. */
export const timeDayOfWeek = defineTimePart('dayOfWeek', dayOfWeek);
