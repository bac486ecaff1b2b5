export const MONTH_NAMES = namesIn(
  'January Jan, February Feb, March Mar, April Apr, May, June Jun, July Jul, August Aug, September Sept Sep, October Oct, November Nov, December Dec',
);

/** Monday is first, as in ISO 8601. */
export const WEEKDAY_NAMES = namesIn(
  'Monday Mon, Tuesday Tues Tue, Wednesday Wed, Thursday Thurs Thur Thu, Friday Fri, Saturday Sat, Sunday Sun',
);

/** Each month or day: its name, and shorter forms. */
function namesIn(list: string): readonly (readonly [name: string, ...short: string[]])[] {
  return list.split(', ').map((names) => names.split(' ') as [string, ...string[]]);
}
