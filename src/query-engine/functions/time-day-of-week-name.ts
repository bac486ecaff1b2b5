import { WEEKDAY_NAMES } from '../time/english-names.ts';
import { dayOfWeek, defineTimePart } from '../time/time-part.ts';

/** The name of the day of the week of a time, such as `Monday`. */
export const timeDayOfWeekName = defineTimePart(
  'dayOfWeekName',
  (local) => WEEKDAY_NAMES[dayOfWeek(local) - 1]![0],
);
