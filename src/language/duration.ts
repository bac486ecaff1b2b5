import { DAY_MS, HOUR_MS, MINUTE_MS } from '../core/epoch.ts';

/** A unit of time. A month has 30 days, a quarter 90, a year 365. */
export type Unit =
  | 'millisecond'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'quarter'
  | 'year';

export const LENGTH_MS: Readonly<Record<Unit, number>> = {
  millisecond: 1,
  second: 1000,
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
  quarter: 90 * DAY_MS,
  year: 365 * DAY_MS,
};

export const UNIT_SPELLINGS: ReadonlyMap<string, Unit> = new Map(
  Object.entries({
    millisecond: ['millisecond', 'milliseconds', 'millis', 'ms'],
    second: ['second', 'seconds', 's', 'sec', 'secs'],
    minute: ['minute', 'minutes', 'm', 'min'],
    hour: ['hour', 'hours', 'h', 'hr', 'hrs'],
    day: ['day', 'days', 'd'],
    week: ['week', 'weeks', 'w'],
    month: ['month', 'months', 'mon'],
    quarter: ['quarter', 'quarters', 'q', 'qtr', 'qtrs'],
    year: ['year', 'years', 'y', 'yr', 'yrs'],
  } satisfies Record<Unit, readonly string[]>).flatMap(([unit, spellings]) =>
    spellings.map((spelling): [string, Unit] => [spelling, unit as Unit]),
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
  return count * LENGTH_MS[unit];
}

/** Parses `2months`. */
export function splitDuration(text: string): Duration | undefined {
  const [, count, spelling = ''] = /^\s*(\d{1,15})\s*([a-z]+)\s*$/.exec(text) ?? [];
  const unit = UNIT_SPELLINGS.get(spelling);
  return count === undefined || unit === undefined ? undefined : { count: Number(count), unit };
}
