import type { TimeZone } from '../../core/time-zone.ts';
import { dayOfYear } from './calendar-day.ts';

/** The input of the letters in a time format. */
interface Moment {
  readonly epochMs: number;
  readonly zone: TimeZone;
  /** BCP 47. */
  readonly locale: string;
  /** Wall-clock time, for the `getUTC…` methods. */
  readonly local: Date;
}

/** Formats a time. */
export type TimeFormat = (epochMs: number, zone: TimeZone) => string;

type Letter = (moment: Moment) => string;

/** Two digits, padded with zeros, by default. */
function digits(read: (local: Date) => number, width = 2): Letter {
  return ({ local }) => String(read(local)).padStart(width, '0');
}

/** A locale's name of a month or weekday. */
function localized(
  count: number,
  index: (local: Date) => number,
  options: Intl.DateTimeFormatOptions,
): Letter {
  const known = new Map<string, readonly string[]>();
  return ({ local, locale }) => {
    let names = known.get(locale);
    if (names === undefined) {
      const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
      // The first day of each month of 2023; both the year and October started on a Sunday.
      const dates = Array.from({ length: count }, (_, position) =>
        count === 12 ? Date.UTC(2023, position, 1) : Date.UTC(2023, 9, 1 + position),
      );
      names = dates.map((date) => format.format(date));
      known.set(locale, names);
    }
    return names[index(local)]!;
  };
}

const monthName = (month: 'long' | 'short'): Letter =>
  localized(12, (local) => local.getUTCMonth(), { month });
const dayName = (weekday: 'long' | 'short'): Letter =>
  localized(7, (local) => local.getUTCDay(), { weekday });
const hour12 = (local: Date): number => local.getUTCHours() % 12 || 12;
const halfDay: Letter = ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM');

const LETTERS: Readonly<Record<string, Letter>> = {
  Y: digits((local) => local.getUTCFullYear(), 4),
  y: digits((local) => local.getUTCFullYear() % 100),
  C: digits((local) => Math.floor(local.getUTCFullYear() / 100)),
  m: digits((local) => local.getUTCMonth() + 1),
  d: digits((local) => local.getUTCDate()),
  e: digits((local) => local.getUTCDate(), 1),
  j: digits(dayOfYear, 3),
  B: monthName('long'),
  b: monthName('short'),
  h: monthName('short'),
  A: dayName('long'),
  a: dayName('short'),
  H: digits((local) => local.getUTCHours()),
  I: digits(hour12),
  k: digits((local) => local.getUTCHours(), 1),
  l: digits(hour12, 1),
  M: digits((local) => local.getUTCMinutes()),
  S: digits((local) => local.getUTCSeconds()),
  L: digits((local) => local.getUTCMilliseconds(), 3),
  N: ({ local }) => `${String(local.getUTCMilliseconds()).padStart(3, '0')}000000`,
  p: (moment) => halfDay(moment).toLowerCase(),
  z: zoneOffset,
  Z: zoneName,
  s: ({ epochMs }) => String(Math.floor(epochMs / 1000)),
  Q: ({ epochMs }) => String(epochMs),
  n: () => '\n',
  '%': () => '%',
};

/** Letters that expand to others. */
const SHORTHANDS: Readonly<Record<string, readonly Letter[]>> = {
  R: compileLetters('%H:%M'),
  T: compileLetters('%H:%M:%S'),
  r: [...compileLetters('%I:%M:%S '), halfDay],
  D: compileLetters('%m/%d/%y'),
  F: compileLetters('%Y-%m-%d'),
  c: compileLetters('%a %b %d %H:%M:%S %Z %Y'),
};

/** Whether `%letter` is a time format. */
export function isTimeLetter(letter: string): boolean {
  return isKnown(letter) && letter !== 'n' && letter !== '%';
}

function isKnown(letter: string): boolean {
  return Object.hasOwn(LETTERS, letter) || Object.hasOwn(SHORTHANDS, letter);
}

/** The first invalid letter after a `%`; `undefined` if the pattern is valid. */
export function unknownTimeLetter(pattern: string): string | undefined {
  for (const [, letter = ''] of pattern.matchAll(/%(.?)/gsu)) {
    if (!isKnown(letter)) return letter;
  }
  return undefined;
}

/** Compiles a pattern such as `%Y-%m-%d %H:%M:%S`. */
export function compileTimeFormat(pattern: string, locale: string): TimeFormat {
  const letters = compileLetters(pattern);
  return (epochMs, zone) => {
    const local = new Date(epochMs + zone.offsetAt(epochMs));
    if (Number.isNaN(local.getTime())) return '';
    const moment = { epochMs, zone, locale, local };
    let text = '';
    for (const letter of letters) text += letter(moment);
    return text;
  };
}

function compileLetters(pattern: string): readonly Letter[] {
  return [...pattern.matchAll(/%(.)|[^%]+|%/gs)].flatMap(([whole, letter]) => {
    if (letter === undefined || !isKnown(letter)) return () => whole;
    return LETTERS[letter] ?? SHORTHANDS[letter] ?? [];
  });
}

function zoneOffset({ epochMs, zone }: Moment): string {
  const minutes = Math.round(zone.offsetAt(epochMs) / 60_000);
  const pad = (number: number): string => String(number).padStart(2, '0');
  const magnitude = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(magnitude / 60))}${pad(magnitude % 60)}`;
}

/** `Z` for UTC; the offset for a zone that is only an offset. */
function zoneName({ epochMs, zone }: Moment): string {
  if (zone.name === 'UTC') return 'Z';
  if (/^[+-]/.test(zone.name)) return zone.name;
  // A zone has one name per offset within a year.
  const key = `${zone.name} ${zone.offsetAt(epochMs)} ${new Date(epochMs).getUTCFullYear()}`;
  let name = zoneNames.get(key);
  if (name === undefined) {
    name = abbreviation(zone.name, epochMs);
    if (zoneNames.size >= KEPT_NAMES) zoneNames.clear();
    zoneNames.set(key, name);
  }
  return name;
}

const zoneNames = new Map<string, string>();
const KEPT_NAMES = 1_000;

/** Each English locale has abbreviations only for its own time zones. */
const ENGLISH = ['en-US', 'en-GB', 'en-AU', 'en-IN'] as const;

function abbreviation(timeZone: string, epochMs: number): string {
  const names = ENGLISH.map((locale) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' });
    return format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value;
  });
  return names.find((name) => name !== undefined && !/^GMT[+-]/.test(name)) ?? names[0] ?? timeZone;
}
