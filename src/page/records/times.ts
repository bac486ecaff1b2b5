import { DAY_MS, HOUR_MS, MAX_EPOCH_MS } from '../../core/epoch.ts';
import { tryOr } from '../../core/try-or.ts';

const isTime = (time: number): boolean => Math.abs(time) <= MAX_EPOCH_MS;

const FORMATS = new Map<string, Intl.DateTimeFormat>();

function format(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${timeZone} ${JSON.stringify(options)}`;
  let known = FORMATS.get(key);
  if (known === undefined) {
    // Such as 2026-11-22 and 17:05:09.
    const inZone = (zone?: string) => new Intl.DateTimeFormat('sv-SE', { ...options, timeZone: zone });
    // The URL may contain a time zone that doesn't exist.
    known = tryOr(undefined, () => inZone(timeZone || undefined)) ?? inZone('UTC');
    FORMATS.set(key, known);
  }
  return known;
}

const QUARTER_MS = 900_000;
const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3 } as const;
const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

/** `17:05:09.123`. */
export function clockTime(time: number, timeZone: string): string {
  return isTime(time) ? format(timeZone, CLOCK).format(time).replace(',', '.') : '–';
}

/** `2026-11-22 17:05:09.123`. */
export function fullTime(time: number, timeZone: string): string {
  return isTime(time) ? `${day(time, timeZone)} ${clockTime(time, timeZone)}` : '–';
}

/** `2026-11-22`. */
export function day(time: number, timeZone: string): string {
  return isTime(time) ? format(timeZone, DAY).format(time) : '–';
}

/** `17:05:09.123`, after the day if that is not the day of `now`. */
export function shortTime(time: number, timeZone: string, now: number): string {
  return day(time, timeZone) === day(now, timeZone) ? clockTime(time, timeZone) : fullTime(time, timeZone);
}

/** The days to show above rows, by the index of the row. Empty if all rows are from today. */
export function daySeparators(
  rows: readonly { readonly time: number }[],
  timeZone: string,
  now: number,
): ReadonlyMap<number, string> {
  const separators = new Map<number, string>();
  let [previous, quarter] = ['', Number.NaN];
  for (const [index, { time }] of rows.entries()) {
    // In all time zones, days start at a quarter of an hour, so most rows need no calendar.
    if (Math.floor(time / QUARTER_MS) === quarter) continue;
    quarter = Math.floor(time / QUARTER_MS);
    const current = day(time, timeZone);
    if (current !== previous) separators.set(index, current);
    previous = current;
  }
  const isToday = separators.size === 1 && previous === day(now, timeZone);
  return isToday ? new Map() : separators;
}

/** As short as the distance between two marks allows: `17:05:09`, `17:05`, `11-22 17:05`, `2026-11-22`. */
export function axisTime(time: number, stepMs: number, spanMs: number, timeZone: string): string {
  if (!isTime(time)) return '–';
  const text = fullTime(time, timeZone);
  if (stepMs >= DAY_MS) return text.slice(spanMs > 300 * DAY_MS ? 0 : 5, 10);
  const clock =
    stepMs >= 60_000 ? text.slice(11, 16) : stepMs >= 1000 ? text.slice(11, 19) : text.slice(11, 23);
  return spanMs > DAY_MS ? `${text.slice(5, 10)} ${clock}` : clock;
}

/** Parses `2026-11-22T17:05:09` in a time zone; `NaN` if it is invalid. */
export function readTime(text: string, timeZone: string): number {
  const clock = Date.parse(`${text}Z`);
  // The second step is for a clock change in between.
  return clock - zoneOffset(clock - zoneOffset(clock, timeZone), timeZone);
}

/** How far the clock of a time zone is ahead of UTC, in milliseconds. */
export function zoneOffset(time: number, timeZone: string): number {
  return Date.parse(`${fullTime(time, timeZone).replace(' ', 'T')}Z`) - time;
}

const UNITS = [
  ['day', DAY_MS, 'd'],
  ['hour', HOUR_MS, 'h'],
  ['minute', 60_000, 'min'],
  ['second', 1000, 's'],
] as const;
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'always' });

/** `3 minutes ago`. */
export function relativeTime(time: number, now: number): string {
  const distance = time - now;
  const [unit, length] = UNITS.find(([, ms]) => Math.abs(distance) >= ms) ?? UNITS[3];
  return RELATIVE.format(Math.round(distance / length), unit);
}

/** `+1,234 ms`, and `+2.1 min` where milliseconds say no more. */
export function distanceText(ms: number): string {
  return `+${ms < 100_000 ? `${ms.toLocaleString('en')} ms` : duration(ms)}`;
}

/** `420 ms`, `1.2 s`, `15 min`, `2 h`, `3 d`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const [, length, unit] = UNITS.find(([, shortest]) => ms >= shortest)!;
  return `${Number((ms / length).toFixed(1))} ${unit}`;
}
