import { MONTH_NAMES } from '../time/english-names.ts';
import { defineTimePart } from '../time/time-part.ts';

/** The name of the month of a time, such as `January`. */
export const timeMonthName = defineTimePart('monthName', (local) => MONTH_NAMES[local.getUTCMonth()]![0]);
