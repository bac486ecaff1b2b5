import {
  type Clock,
  type Instant,
  instantOf,
  readEpoch,
  UTC,
  type WrittenTime,
  type WrittenZone,
} from '../time/written-time.ts';
import { compileTimestampPattern, type TimestampReader } from './timestamp-pattern.ts';

/** Numbers further into a line are rarely timestamps. */
const SEARCHED_LENGTH = 128;

/** A timestamp format: where one may start, and its patterns. */
interface Form {
  readonly start: RegExp;
  readonly readers: readonly TimestampReader[];
}

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const WEEKDAY = '(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*';
const FRACTION = '[.SSSSSSSSS][,SSSSSSSSS]';
const ZONE = '[[ ]X]';

const FORMS: readonly Form[] = [
  // 2023-06-15T14:03:45.123Z, 2023/06/15 14:03, 2023-06-15 14:03:45,123 +02:00
  form('\\d{4}[-/.]\\d\\d[-/.]\\d\\d[T ]', `yyyy[-][/][.]MM[-][/][.]dd['T'][ ]HH:mm[:ss${FRACTION}]${ZONE}`),
  // 20230615T140345Z
  form('\\d{8}[T ]\\d{6}', `yyyyMMdd['T'][ ]HHmmss${FRACTION}${ZONE}`),
  // Thu Jun 15 14:03:45 UTC 2023
  form(`${WEEKDAY} ${MONTH} +\\d`, `EEE MMM [ ]d HH:mm:ss${FRACTION}${ZONE} yyyy`),
  // Jun 15 14:03:45 UTC 2023, Jun  5 14:03:45, Jun 15 2023 14:03:45, June 15, 2023 14:03
  form(
    `${MONTH} +\\d{1,2},? `,
    `MMM [ ]d[,] HH:mm[:ss${FRACTION}][ ]X yyyy`,
    `MMM [ ]d[,] [yyyy ]HH:mm[:ss${FRACTION}]${ZONE}`,
  ),
  // 15/Jun/2023:14:03:45 +0000, 15 Jun 2023 14:03:45 GMT
  form(
    `\\d{1,2}[-/ ]${MONTH}[-/ ]\\d{4}[: ]`,
    `d[-][/][ ]MMM[-][/][ ]yyyy[:][ ]HH:mm[:ss${FRACTION}]${ZONE}`,
  ),
  // 6/15/2023 2:03:45 PM, 06/15/2023 14:03:45
  form(
    '\\d{1,2}/\\d{1,2}/\\d{4},? ',
    `M/d/yyyy[,] h:mm[:ss${FRACTION}][ ]a${ZONE}`,
    `M/d/yyyy[,] H:mm[:ss${FRACTION}]${ZONE}`,
  ),
  // 15.06.2023 14:03:45
  form('\\d{1,2}\\.\\d{1,2}\\.\\d{4} ', `d.M.yyyy H:mm[:ss${FRACTION}]${ZONE}`),
];

/** 14:03:45 without a date before it. */
const TIME_OF_DAY: Form = {
  start: /(?<![\w:.,+/-])(?<!\d )\d\d:\d\d:\d\d/g,
  readers: [
    compileTimestampPattern(`HH:mm:ss${FRACTION}${ZONE}`, { ignoreCase: true, isDateOptional: true }),
  ],
};

/** Seconds, milliseconds, microseconds or nanoseconds of the years 2001 to 2033. */
const EPOCH = /(?<![\w.:+/-])1\d{9}(?:\.\d{1,9}|(?:\d{3}){1,3})?(?![\w:/-]|\.\d)/g;
const EPOCH_UNITS = { 10: 'seconds', 13: 'millis', 16: 'micros', 19: 'nanos' } as const;

function form(start: string, ...patterns: readonly string[]): Form {
  return {
    start: new RegExp(`(?<!\\w)${start}`, 'gi'),
    readers: patterns.map((pattern) => compileTimestampPattern(pattern, { ignoreCase: true })),
  };
}

/**
 * Finds the first timestamp in a common format near the start of a string, or else the first time of day. `zone`
 * overrides the time zone in the text. Default: UTC.
 */
export function findTimestampIn(text: string, options: FindOptions): Instant | undefined {
  const head = text.slice(0, SEARCHED_LENGTH);
  let first = findEpoch(head);
  for (const each of FORMS) {
    const candidate = findForm(head, each, options);
    if (candidate !== undefined && (first === undefined || candidate.index < first.index)) first = candidate;
  }
  return (first ?? findForm(head, TIME_OF_DAY, options))?.instant;
}

interface FindOptions {
  readonly zone: WrittenZone | undefined;
  readonly clock: Clock;
}

interface Found {
  readonly index: number;
  readonly instant: Instant;
}

function findForm(head: string, { start, readers }: Form, options: FindOptions): Found | undefined {
  start.lastIndex = 0;
  for (let match = start.exec(head); match !== null; match = start.exec(head)) {
    const instant = readAt(head, match.index, readers, options);
    if (instant !== undefined) return { index: match.index, instant };
  }
  return undefined;
}

function findEpoch(head: string): Found | undefined {
  EPOCH.lastIndex = 0;
  const match = EPOCH.exec(head);
  if (match === null) return undefined;
  const [digits] = match;
  const unit = EPOCH_UNITS[digits.length as keyof typeof EPOCH_UNITS];
  const instant = readEpoch(digits, digits.includes('.') ? 'seconds' : unit);
  return instant && { index: match.index, instant };
}

function readAt(
  text: string,
  position: number,
  readers: readonly TimestampReader[],
  { zone, clock }: FindOptions,
): Instant | undefined {
  for (const read of readers) {
    const written: WrittenTime = {};
    const end = read(text, position, written);
    if (end === -1 || /\d/.test(text[end] ?? '')) continue;
    // A leap second.
    if (written.second === 60) written.second = 59;
    const instant = instantOf(written, zone ?? written.zone ?? UTC, clock);
    if (instant !== undefined) return instant;
  }
  return undefined;
}
