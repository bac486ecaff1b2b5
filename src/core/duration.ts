import { DAY_MS, HOUR_MS, MINUTE_MS } from './epoch.ts';

/** The length in milliseconds and the spellings of each unit of time. A month has 30 days, a quarter 90, a year 365. */
const UNITS = {
  millisecond: [1, 'millisecond milliseconds millis ms'],
  second: [1000, 'second seconds s sec secs'],
  minute: [MINUTE_MS, 'minute minutes m min'],
  hour: [HOUR_MS, 'hour hours h hr hrs'],
  day: [DAY_MS, 'day days d'],
  week: [7 * DAY_MS, 'week weeks w'],
  month: [30 * DAY_MS, 'month months mon'],
  quarter: [90 * DAY_MS, 'quarter quarters q qtr qtrs'],
  year: [365 * DAY_MS, 'year years y yr yrs'],
} as const;

export type Unit = keyof typeof UNITS;

export const UNIT_SPELLINGS: ReadonlyMap<string, Unit> = new Map(
  Object.entries(UNITS).flatMap(([unit, [, spellings]]) =>
    spellings.split(' ').map((spelling) => [spelling, unit as Unit] as const),
  ),
);

export interface Duration {
  readonly count: number;
  readonly unit: Unit;
}

/** Parses `24hours`, `5 m`, `1000ms` to milliseconds; `undefined` for any other text. */
export function readDuration(text: string): number | undefined {
  const duration = splitDuration(text);
  return duration && lengthOf(duration);
}

/** In milliseconds; a month has 30 days. */
export function lengthOf({ count, unit }: Duration): number {
  return count * UNITS[unit][0];
}

/** Parses `2months`. */
export function splitDuration(text: string): Duration | undefined {
  const [, count, spelling = ''] = /^\s*(\d{1,15})\s*([a-z]+)\s*$/.exec(text) ?? [];
  const unit = UNIT_SPELLINGS.get(spelling);
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit };
}

/** Longer text is no time: searching takes quadratic time. */
const MAX_LENGTH = 200;
const RELATIVE_TIME = /^(calendar:)?\s*([^@]*?)\s*(?:@\s*([a-z]+)((?:\s*[+-]\s*\d+\s*[a-z]+)*))?$/;

/** Parses `[calendar:] base [@unit {±offset}]`, such as `now`, `24h`, `1d@d+12h`; `undefined` for any other text. */
export function splitRelativeTime(text: string) {
  const match = text.length > MAX_LENGTH ? null : RELATIVE_TIME.exec(text.trim());
  const [, prefix, base = '', anchor = '', offsets = ''] = match ?? [];
  const moves = [`-${base === 'now' ? '0s' : base}`, ...(offsets.match(/[+-][^+-]+/g) ?? [])].map((move) => {
    const duration = splitDuration(move.slice(1));
    return duration && { ...duration, count: Number(`${move[0]}${duration.count}`) };
  });
  const [back, ...others] = moves.filter((move) => move !== undefined);
  const unit = UNIT_SPELLINGS.get(anchor);
  if (back === undefined || others.length + 1 < moves.length || (anchor !== '' && unit === undefined))
    return undefined;
  return { isCalendar: prefix !== undefined, back, anchor: unit, offsets: others };
}
