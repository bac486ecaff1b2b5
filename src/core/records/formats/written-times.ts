import { DAY_MS, HOUR_MS, MAX_EPOCH_MS, MINUTE_MS } from '../../epoch.ts';
import { type TimeZone, timeZoneOrUtc } from '../../time-zone.ts';
import { integerOf } from '../logger-line.ts';
import { epochMilliseconds } from '../timestamp.ts';

/** How to read what a written time leaves out. */
export interface TimeContext {
  /** IANA name of the zone of times without one. @default the zone of this machine */
  readonly timeZone?: string | undefined;
  /**
   * A time without a date is the latest one up to this, in epoch milliseconds. One without a year may be a day later: its
   * zone may be another one. So may one without a date that is at most an hour later than the one before it.
   *
   * @default the current time
   */
  readonly latest?: number | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,:](?<fraction>\d{1,9})\d*)?)?`;
/** Hours from UTC of the abbreviations that programs write. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, BST: 1, CET: 1, CEST: 2, EST: -5, EDT: -4 },
  ...{ CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ IST: 5.5, JST: 9, AEST: 10, AEDT: 11 },
};
const OFFSET = String.raw`(?<zone>[+-]\d\d(?::?\d\d)?(?!\d)|(?:${Object.keys(ABBREVIATIONS).join('|')})\b)`;
const LAST_SECOND = /(?<=\d\d:\d\d:)\d\d(?:[.,:]\d{3})?(?![\d:.,])/;
const ZONE = new RegExp(OFFSET.replace('?<zone>', ''), 'iy');
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';

/** The forms of times, by the kind of their first character. */
const DIGIT_FORMS = [
  // ISO 8601, and with slashes: Go, nginx.
  String.raw`(?<year>\d{4})([-/.])(?<month>\d\d)\2(?<day>\d\d)[T _]${CLOCK}(?: ?${OFFSET})?`,
  // 28/Nov/2026:04:14:55 +0000, 28-Nov-2026 04:14:55.759, 28 Nov 2026 04:14:55
  String.raw`(?<day>\d\d)[-/ ]${MONTH}[-/ ](?<year>\d{4})[: ]${CLOCK}(?: ${OFFSET})?`,
  // 28.11.2026 04:14:55
  String.raw`(?<day>\d\d)\.(?<month>\d\d)\.(?<year>\d{4}),? ${CLOCK}(?: ${OFFSET})?`,
  // klog, which has no year.
  String.raw`(?<month>\d\d)(?<day>\d\d) ${CLOCK}`,
  // Epoch seconds, as Squid and journalctl write them.
  String.raw`(?<epoch>\d{10}\.(?:\d{3}|\d{6}))(?!\d)`,
  // Logback and pino-pretty, which have no date.
  String.raw`(?<hour>\d\d):(?<minute>\d\d):(?<second>\d\d)[.,](?<fraction>\d{1,9})\b`,
].map(formOf);
const WORD_FORMS = [
  // Syslog, which has no year.
  String.raw`${MONTH} (?<day>[ \d]\d)(?: (?<year>\d{4}))? ${CLOCK}`,
  // Nov 28, 2026 4:14:55 AM
  String.raw`${MONTH} (?<day>\d{1,2}), (?<year>\d{4}) (?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)[^AP\n]{1,3}(?<half>[AP])M`,
  // Sat Nov 28 04:14:55 2026, with a zone or without
  String.raw`${WEEKDAY} ${MONTH} (?<day>[ \d]\d) ${CLOCK}(?: ${OFFSET})? (?<year>\d{4})`,
  // Sat 2026-11-28 04:14:55 UTC
  String.raw`${WEEKDAY} (?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d) ${CLOCK}(?: ${OFFSET})?`,
  // Sat, 28 Nov 2026 04:14:55 GMT
  String.raw`${WEEKDAY}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${CLOCK}(?: ${OFFSET})?`,
].map(formOf);
/** A form, with the place of each part among its groups: named groups would cost more than all the rest. */
interface Form {
  readonly regex: RegExp;
  readonly places: Readonly<Partial<Record<Part, number>>>;
}

const CLOCK_PARTS = ['hour', 'minute', 'second'] as const;
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'half' | 'zone' | 'epoch';

function formOf(source: string): Form {
  const groups = [...source.matchAll(/\((?:\?<(\w+)>|(?!\?))/g)].map(([, name], index) => [name, index + 1]);
  return { regex: new RegExp(source.replaceAll(/\?<\w+>/g, ''), 'iy'), places: Object.fromEntries(groups) };
}

/** As .NET writes a `DateTime` in JSON. */
const DOTNET = /^\/Date\((\d+)\)\/$/;
const DIGITS = /^\d+(?:\.\d+)?$/;

/** Reads times as programs write them. */
export class WrittenTimes {
  readonly #context: TimeContext;
  #zone: TimeZone | undefined;
  /** A time up to its minute, that minute, the length and the comma of its seconds, what follows these, and the length of that. */
  #minute = { head: '\n', epoch: 0, width: 0, comma: Number.NaN, rest: '', size: 0 };
  /** The latest time without a zone, up to its minute. */
  #newest = 0;
  /** The last time without a date. */
  #clock = 0;
  /** Where the time that {@link at} found ends. */
  end = 0;

  constructor(context: TimeContext = {}) {
    this.#context = context;
  }

  /** A warning if times without a zone are in the future. */
  warnings(now = Date.now()): readonly string[] {
    const minutes = Math.floor((this.#newest - now) / MINUTE_MS);
    const advice = 'If they are of another time zone, set it with --timezone.';
    const most = `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return minutes < 1 ? [] : [`times are up to ${most} in the future. ${advice}`];
  }

  /** The value of a field, epoch milliseconds; `undefined` if it is not a time. The unit of a number follows from its size. */
  of(value: unknown): number | undefined {
    if (typeof value === 'number') return epochMilliseconds(value);
    if (typeof value !== 'string') return undefined;
    const time = this.at(value, 0);
    // A field with the time of day alone says no date.
    if (time !== undefined && this.end === value.length && value[2] !== ':') return time;
    const digits = DIGITS.test(value) ? value : DOTNET.exec(value)?.[1];
    return digits === undefined ? undefined : epochMilliseconds(Number(digits));
  }

  /** The time at a position of a string, epoch milliseconds. */
  at(text: string, start: number): number | undefined {
    return this.#inMinute(text, start) ?? this.#read(text, start);
  }

  /** The time if it is in the minute of the last one and has its form, as in most lines of a log. */
  #inMinute(text: string, start: number): number | undefined {
    const { head, epoch, width, comma, rest, size } = this.#minute;
    if (!text.startsWith(head, start)) return undefined;
    const at = start + head.length;
    const end = at + width;
    const second = integerOf(text.slice(at, at + 2));
    const millis = width === 2 ? 0 : integerOf(text.slice(at + 3, end));
    if (second < 0 || second > 59 || millis < 0 || text.slice(end, end + size) !== rest) return undefined;
    if (width > 2 && text.charCodeAt(at + 2) !== comma) return undefined;
    ZONE.lastIndex = end + 1;
    if (rest === ' ' && ZONE.test(text)) return undefined;
    this.end = end + size - 1;
    return epoch + second * 1000 + millis;
  }

  #remember(text: string, start: number, time: number): void {
    const { index = -1, 0: seconds = '' } = LAST_SECOND.exec(text.slice(start, this.end)) ?? {};
    if (index === -1 || !/^[\s\]]?$/.test(text.charAt(this.end))) return;
    const [at, width] = [start + index, seconds.length];
    // Seconds with two digits, possibly a character and milliseconds.
    const epoch = time - (1000 * Number(seconds.slice(0, 2)) + Number(seconds.slice(3)));
    const size = this.end + 1 - (at + width);
    const rest = text.slice(at + width, this.end + 1);
    this.#minute = { head: text.slice(start, at), epoch, width, comma: seconds.charCodeAt(2), rest, size };
  }

  #read(text: string, start: number): number | undefined {
    const first = text.charCodeAt(start);
    const forms =
      first >= 0x30 && first <= 0x39 ? DIGIT_FORMS : first >= 0x41 && first <= 0x7a ? WORD_FORMS : [];
    for (const { regex, places } of forms) {
      regex.lastIndex = start;
      const match = regex.exec(text);
      if (match === null) continue;
      this.end = regex.lastIndex;
      const time = this.#timeOf((part) => match[places[part] ?? -1]);
      if (time !== undefined && match[places.zone ?? -1] === undefined && places.epoch === undefined)
        this.#newest = Math.max(this.#newest, time);
      if (time !== undefined && match[places.year ?? -1] !== undefined) this.#remember(text, start, time);
      return time;
    }
    return undefined;
  }

  #timeOf(part: (name: Part) => string | undefined): number | undefined {
    const epoch = part('epoch');
    if (epoch !== undefined) return Math.floor(Number(epoch) * 1000 + 1e-3);
    const [clock = 0, minute = 0, second = 0] = CLOCK_PARTS.map((name) => Number(part(name) ?? 0));
    const half = part('half');
    const hour = half === undefined ? clock : (clock % 12) + (half === 'P' ? 12 : 0);
    if (hour > 23 || minute > 59 || second > 59) return undefined;
    const inDay = ((hour * 60 + minute) * 60 + second) * 1000;
    const millis = Number((part('fraction') ?? '').padEnd(3, '0').slice(0, 3));
    const time = this.#dated(part, (date) => this.#epochOf(date + inDay, part('zone')) + millis);
    return time !== undefined && time >= 0 && time <= MAX_EPOCH_MS ? time : undefined;
  }

  #dated(part: (name: Part) => string | undefined, onDate: (date: number) => number): number | undefined {
    const [year, month, day] = [part('year'), part('month'), Number(part('day'))];
    const latest = this.#context.latest ?? Date.now();
    if (month === undefined) {
      const until = Math.max(latest, Math.min(this.#clock + HOUR_MS, latest + DAY_MS));
      this.#clock = latestUpTo(until, until / DAY_MS, (number) => onDate(number * DAY_MS)) ?? 0;
      return this.#clock;
    }
    const named = MONTHS.indexOf(month.toLowerCase());
    const monthIndex = named === -1 ? Number(month) - 1 : named;
    const inYear = (number: number): number | undefined => {
      const date = Date.UTC(number, monthIndex, day);
      // `Date.UTC` turns June 31 into July 1.
      return new Date(date).getUTCDate() === day && monthIndex < 12 ? onDate(date) : undefined;
    };
    if (year !== undefined) return inYear(Number(year));
    return latestUpTo(latest + DAY_MS, new Date(latest).getUTCFullYear(), inYear);
  }

  #epochOf(localMs: number, zone: string | undefined): number {
    if (zone !== undefined) return localMs - offsetOf(zone.toUpperCase());
    // Few files need it, and the first use of `Intl` takes 20 ms.
    this.#zone ??= timeZoneOrUtc(this.#context.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
    return this.#zone.toEpoch(localMs);
  }
}

/** The time in the latest year, or on the latest day, that is not after `latest`. @param about that year or day */
function latestUpTo(latest: number, about: number, timeIn: (number: number) => number | undefined) {
  for (let number = Math.floor(about) + 1; number > about - 9; number--) {
    const time = timeIn(number);
    if (time !== undefined && time <= latest) return time;
  }
  return undefined;
}

function offsetOf(zone: string): number {
  const hours = ABBREVIATIONS[zone];
  return hours === undefined ? timeZoneOrUtc(zone).offsetAt(0) : hours * HOUR_MS;
}
