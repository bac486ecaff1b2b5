/** The meaning of each letter in `formatTime()`, most common first. */
export const TIME_LETTERS: Readonly<Record<string, string>> = {
  '%Y': 'year, 2026',
  '%m': 'month, 01–12',
  '%d': 'day of the month, 01–31',
  '%H': 'hour, 00–23',
  '%M': 'minute, 00–59',
  '%S': 'second, 00–59',
  '%L': 'millisecond, 000–999',
  '%F': 'date, 2026-01-31',
  '%T': 'time, 23:59:59',
  '%R': 'time, 23:59',
  '%Z': 'time zone, CET',
  '%z': 'offset, +0100',
  '%a': 'weekday, Mon',
  '%A': 'weekday, Monday',
  '%b': 'month, Jan',
  '%B': 'month, January',
  '%y': 'year, 26',
  '%e': 'day of the month, 1–31',
  '%j': 'day of the year, 001–366',
  '%I': 'hour, 01–12',
  '%p': 'am or pm',
  '%s': 'seconds since 1970',
  '%Q': 'milliseconds since 1970',
  '%%': 'a percent sign',
};

let zones: readonly string[] | undefined;

/** The names of time zones, `UTC` first. */
export function timeZones(): readonly string[] {
  zones ??= ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return zones;
}
