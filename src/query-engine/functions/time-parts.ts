import { MONTH_NAMES, WEEKDAY_NAMES } from '../time/english-names.ts';
import { dayOfWeek, dayOfYear, defineTimePart, weekOfYear } from '../time/time-part.ts';

/** The milliseconds of a time, from 0 to 999. */
export const timeMillisecond = defineTimePart('millisecond', (local) => local.getUTCMilliseconds());

/** The second of a time, from 0 to 59. */
export const timeSecond = defineTimePart('second', (local) => local.getUTCSeconds());

/** The minute of a time, from 0 to 59. */
export const timeMinute = defineTimePart('minute', (local) => local.getUTCMinutes());

/** The hour of a time, from 0 to 23. */
export const timeHour = defineTimePart('hour', (local) => local.getUTCHours());

/** The day of the month of a time, from 1. */
export const timeDayOfMonth = defineTimePart('dayOfMonth', (local) => local.getUTCDate());

/** The day of the week of a time, from 1 on Monday to 7 on Sunday. */
export const timeDayOfWeek = defineTimePart('dayOfWeek', dayOfWeek);

/** The name of the day of the week of a time, such as `Monday`. */
export const timeDayOfWeekName = defineTimePart(
  'dayOfWeekName',
  (local) => WEEKDAY_NAMES[dayOfWeek(local) - 1]![0],
);

/** The day of the year of a time, from 1. */
export const timeDayOfYear = defineTimePart('dayOfYear', dayOfYear);

/** The week of the year of a time by ISO 8601, from 1 to 53. */
export const timeWeekOfYear = defineTimePart('weekOfYear', weekOfYear);

/** The month of a time, from 1 to 12. */
export const timeMonth = defineTimePart('month', (local) => local.getUTCMonth() + 1);

/** The name of the month of a time, such as `January`. */
export const timeMonthName = defineTimePart('monthName', (local) => MONTH_NAMES[local.getUTCMonth()]![0]);

/** The year of a time. */
export const timeYear = defineTimePart('year', (local) => local.getUTCFullYear());
