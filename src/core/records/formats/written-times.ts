import { MAX_EPOCH_MS } from '../../epoch.ts';
import { type TimeZone, timeZoneOrUtc } from '../../time-zone.ts';
import { epochMilliseconds } from '../timestamp.ts';

/** How to read what a written time leaves out. */
export interface TimeContext {
  /** IANA name of the zone of times without one. @default the zone of this machine */
  readonly timeZone?: string | undefined;
  /** A time without a year is the latest one up to this, in epoch milliseconds. @default the current time */
  readonly latest?: number | undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,:](?<fraction>\d{1,9})\d*)?)?`;
const OFFSET = String.raw`(?<zone>Z\b|[+-]\d\d(?::?\d\d)?(?!\d)|(?:[ECMP][SD]|UT|GM|CES|CE|BS)T\b|UTC\b)`;
const MONTH = '(?<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';

/** The forms of times, by the kind of their first character. */
const DIGIT_FORMS = [
  // ISO 8601, and with slashes: Go, nginx.
  String.raw`(?<year>\d{4})([-/.])(?<month>\d\d)\2(?<day>\d\d)[T _]${CLOCK}(?: ?${OFFSET})?`,
  // 28/Nov/2026:04:14:55 +0000, 28-Nov-2026 04:14:55.759, 28 Nov 2026 04:14:55
  String.raw`(?<day>\d\d)[-/ ]${MONTH}[-/ ](?<year>\d{4})[: ]${CLOCK}(?: ${OFFSET})?`,
  // klog, which has no year.
  String.raw`(?<month>\d\d)(?<day>\d\d) ${CLOCK}`,
  // Epoch seconds, as Squid writes them.
  String.raw`(?<epoch>\d{10}\.\d{3})(?!\d)`,
].map(formOf);
const WORD_FORMS = [
  // Syslog, which has no year.
  String.raw`${MONTH} (?<day>[ \d]\d)(?: (?<year>\d{4}))? ${CLOCK}`,
  // Sat Nov 28 04:14:55 2026, with a zone or without
  String.raw`${WEEKDAY} ${MONTH} (?<day>[ \d]\d) ${CLOCK}(?: ${OFFSET})? (?<year>\d{4})`,
  // Sat, 28 Nov 2026 04:14:55 GMT
  String.raw`${WEEKDAY}, (?<day>\d\d) ${MONTH} (?<year>\d{4}) ${CLOCK}(?: ${OFFSET})?`,
].map(formOf);
/** A form, with the place of each part among its groups: named groups would cost more than all the rest. */
interface Form {
  readonly regex: RegExp;
  readonly places: Readonly<Partial<Record<Part, number>>>;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone' | 'epoch';

function formOf(source: string): Form {
  const groups = [...source.matchAll(/\((?:\?<(\w+)>|(?!\?))/g)].map(([, name], index) => [name, index + 1]);
  return { regex: new RegExp(source.replaceAll(/\?<\w+>/g, ''), 'iy'), places: Object.fromEntries(groups) };
}

/** As .NET writes a `DateTime` in JSON. */
const DOTNET = /^\/Date\((\d+)\)\/$/;
const DIGITS = /^\d+(?:\.\d+)?$/;

/** Hours from UTC of the abbreviations that programs write. */
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  ...{ Z: 0, UTC: 0, GMT: 0, BST: 1, CET: 1, CEST: 2, EST: -5, EDT: -4 },
  ...{ CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
};

let machineZone: string | undefined;

function nameOfMachineZone(): string {
  machineZone ??= new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return machineZone;
}

/** Reads times as programs write them. */
export class WrittenTimes {
  readonly #context: TimeContext;
  #zone: TimeZone | undefined;
  /** Where the time that {@link at} found ends. */
  end = 0;

  constructor(context: TimeContext = {}) {
    this.#context = context;
  }

  /** The value of a field, epoch milliseconds; `undefined` if it is not a time. The unit of a number follows from its size. */
  of(value: unknown): number | undefined {
    if (typeof value === 'number') return epochMilliseconds(value);
    if (typeof value !== 'string') return undefined;
    const time = this.at(value, 0);
    if (time !== undefined && this.end === value.length) return time;
    const digits = DIGITS.test(value) ? value : DOTNET.exec(value)?.[1];
    return digits === undefined ? undefined : epochMilliseconds(Number(digits));
  }

  /** The time at a position of a string, epoch milliseconds. */
  at(text: string, start: number): number | undefined {
    const first = text.charCodeAt(start);
    const forms =
      first >= 0x30 && first <= 0x39 ? DIGIT_FORMS : first >= 0x41 && first <= 0x7a ? WORD_FORMS : [];
    for (const { regex, places } of forms) {
      regex.lastIndex = start;
      const match = regex.exec(text);
      if (match === null) continue;
      this.end = regex.lastIndex;
      return this.#timeOf((part) => match[places[part] ?? -1]);
    }
    return undefined;
  }

  #timeOf(part: (name: Part) => string | undefined): number | undefined {
    const epoch = part('epoch');
    if (epoch !== undefined) return Math.round(Number(epoch) * 1000);
    const [hour, minute, second] = [
      Number(part('hour')),
      Number(part('minute')),
      Number(part('second') ?? 0),
    ];
    if (hour > 23 || minute > 59 || second > 59) return undefined;
    const month = part('month')!;
    const named = MONTHS.indexOf(month.toLowerCase());
    const monthIndex = named === -1 ? Number(month) - 1 : named;
    const [year, day, zone] = [part('year'), Number(part('day')), part('zone')];
    const inDay = ((hour * 60 + minute) * 60 + second) * 1000;
    const millis = Number((part('fraction') ?? '').padEnd(3, '0').slice(0, 3));
    const inYear = (number: number): number | undefined => {
      const date = Date.UTC(number, monthIndex, day);
      // `Date.UTC` turns June 31 into July 1.
      return new Date(date).getUTCDate() === day && monthIndex < 12
        ? this.#epochOf(date + inDay, zone) + millis
        : undefined;
    };
    const time = year === undefined ? this.#latest(inYear) : inYear(Number(year));
    return time !== undefined && time >= 0 && time <= MAX_EPOCH_MS ? time : undefined;
  }

  /** The time in the latest year in which it is not after the context's. */
  #latest(inYear: (year: number) => number | undefined): number | undefined {
    const latest = this.#context.latest ?? Date.now();
    const newest = new Date(latest).getUTCFullYear() + 1;
    for (let year = newest; year > newest - 10; year--) {
      const time = inYear(year);
      if (time !== undefined && time <= latest) return time;
    }
    return undefined;
  }

  #epochOf(localMs: number, zone: string | undefined): number {
    if (zone !== undefined) return localMs - offsetOf(zone.toUpperCase());
    // Few files need it, and the first use of `Intl` takes 20 ms.
    this.#zone ??= timeZoneOrUtc(this.#context.timeZone ?? nameOfMachineZone());
    return this.#zone.toEpoch(localMs);
  }
}

function offsetOf(zone: string): number {
  const hours = ABBREVIATIONS[zone];
  if (hours !== undefined) return hours * 3_600_000;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || '0');
  return (zone.startsWith('-') ? -1 : 1) * minutes * 60_000;
}
