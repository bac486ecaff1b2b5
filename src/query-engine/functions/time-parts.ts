import { MONTH_NAMES, WEEKDAY_NAMES } from '../time/english-names.ts';
import { dayOfWeek, dayOfYear, defineTimePart, weekOfYear } from '../time/time-part.ts';

/** 0 to 999. */
export const timeMillisecond = defineTimePart('millisecond', (local) => local.getUTCMilliseconds());

/** 0 to 59. */
export const timeSecond = defineTimePart('second', (local) => local.getUTCSeconds());

/** 0 to 59. */
export const timeMinute = defineTimePart('minute', (local) => local.getUTCMinutes());

/** 0 to 23. */
export const timeHour = defineTimePart('hour', (local) => local.getUTCHours());

/** Starts at 1. */
export const timeDayOfMonth = defineTimePart('dayOfMonth', (local) => local.getUTCDate());

/** 1 (Monday) to 7 (Sunday). */
export const timeDayOfWeek = defineTimePart('dayOfWeek', dayOfWeek);

/** Such as `Monday`. */
export const timeDayOfWeekName = defineTimePart(
  'dayOfWeekName',
  (local) => WEEKDAY_NAMES[dayOfWeek(local) - 1]![0],
);

/** Starts at 1. */
export const timeDayOfYear = defineTimePart('dayOfYear', dayOfYear);

/** ISO 8601, from 1 to 53. */
export const timeWeekOfYear = defineTimePart('weekOfYear', weekOfYear);

/** 1 to 12. */
export const timeMonth = defineTimePart('month', (local) => local.getUTCMonth() + 1);

/** Such as `January`. */
export const timeMonthName = defineTimePart('monthName', (local) => MONTH_NAMES[local.getUTCMonth()]![0]);

export const timeYear = defineTimePart('year', (local) => local.getUTCFullYear());
