import type { TimeZone } from './time-zone.ts';

/** What the letters of a time format work with. */
interface Moment {
  readonly epochMs: number;
  readonly zone: TimeZone;
  /** BCP 47. */
  readonly locale: string;
  /** The wall clock, to be read with the `getUTC…` methods. */
  readonly local: Date;
}

/** Turns a moment into text. */
export type TimeFormat = (epochMs: number, zone: TimeZone) => string;

type Letter = (moment: Moment) => string;

/** Two digits, padded with zeros unless said otherwise. */
function digits(read: (local: Date) => number, width = 2, fill = '0'): Letter {
  return ({ local }) => String(read(local)).padStart(width, fill);
}

function localized(options: Intl.DateTimeFormatOptions): Letter {
  return ({ local, locale }) => dateFormat(locale, options).format(local);
}

const hour12 = (local: Date): number => local.getUTCHours() % 12 || 12;

const LETTERS: Readonly<Record<string, Letter>> = {
  Y: digits((local) => local.getUTCFullYear(), 4),
  y: digits((local) => local.getUTCFullYear() % 100),
  C: digits((local) => Math.floor(local.getUTCFullYear() / 100)),
  m: digits((local) => local.getUTCMonth() + 1),
  d: digits((local) => local.getUTCDate()),
  e: digits((local) => local.getUTCDate(), 1),
  j: digits(dayOfYear, 3),
  B: localized({ month: 'long' }),
  b: localized({ month: 'short' }),
  h: localized({ month: 'short' }),
  A: localized({ weekday: 'long' }),
  a: localized({ weekday: 'short' }),
  H: digits((local) => local.getUTCHours()),
  I: digits(hour12),
  k: digits((local) => local.getUTCHours(), 1),
  l: digits(hour12, 1),
  M: digits((local) => local.getUTCMinutes()),
  S: digits((local) => local.getUTCSeconds()),
  L: digits((local) => local.getUTCMilliseconds(), 3),
  N: ({ local }) => `${String(local.getUTCMilliseconds()).padStart(3, '0')}000000`,
  p: ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm'),
  z: zoneOffset,
  Z: zoneName,
  s: ({ epochMs }) => String(Math.floor(epochMs / 1000)),
  Q: ({ epochMs }) => String(epochMs),
  R: (moment) => write('%H:%M', moment),
  T: (moment) => write('%H:%M:%S', moment),
  r: (moment) => `${write('%I:%M:%S ', moment)}${moment.local.getUTCHours() < 12 ? 'AM' : 'PM'}`,
  D: (moment) => write('%m/%d/%y', moment),
  F: (moment) => write('%Y-%m-%d', moment),
  c: (moment) => write('%a %b %d %T %Z %Y', moment),
  n: () => '\n',
  '%': () => '%',
};

/** Whether there is a `%letter` for a time. */
export function isTimeLetter(letter: string): boolean {
  return Object.hasOwn(LETTERS, letter) && letter !== 'n' && letter !== '%';
}

/** The letter after a `%` that means nothing; `undefined` when the whole pattern can be used. */
export function unknownTimeLetter(pattern: string): string | undefined {
  for (const [, letter = ''] of pattern.matchAll(/%(.?)/gsu)) {
    if (!Object.hasOwn(LETTERS, letter)) return letter;
  }
  return undefined;
}

/** Compiles a pattern such as `%Y-%m-%d %H:%M:%S`. */
export function compileTimeFormat(pattern: string, locale: string): TimeFormat {
  return (epochMs, zone) => {
    const local = new Date(epochMs + zone.offsetAt(epochMs));
    return Number.isNaN(local.getTime()) ? '' : write(pattern, { epochMs, zone, locale, local });
  };
}

function write(pattern: string, moment: Moment): string {
  return pattern.replace(/%(.)/gs, (whole, letter: string) => LETTERS[letter]?.(moment) ?? whole);
}

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let format = dateFormats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    dateFormats.set(key, format);
  }
  return format;
}

function dayOfYear(local: Date): number {
  const startOfYear = Date.UTC(local.getUTCFullYear(), 0, 1);
  return Math.floor((local.getTime() - startOfYear) / 86_400_000) + 1;
}

function zoneOffset({ epochMs, zone }: Moment): string {
  const minutes = Math.round(zone.offsetAt(epochMs) / 60_000);
  const pad = (number: number): string => String(number).padStart(2, '0');
  const magnitude = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(magnitude / 60))}${pad(magnitude % 60)}`;
}

/** UTC is `Z`; a zone that is only an offset is that offset. */
function zoneName({ epochMs, zone }: Moment): string {
  if (zone.name === 'UTC') return 'Z';
  if (/^[+-]/.test(zone.name)) return zone.name;
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone.name, timeZoneName: 'short' });
  return format.formatToParts(epochMs).find(({ type }) => type === 'timeZoneName')?.value ?? zone.name;
}
