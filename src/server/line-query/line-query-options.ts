import { LogOptionsException } from '../../core/errors.ts';
import { describe, refuseUnknownOptions, requireInteger } from '../../core/option-checks.ts';
import { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { requireStringMap } from '../../core/string-map.ts';
import { requireTimePoint } from '../../core/time-option.ts';
import type { TimePoint } from '../../core/wire/query.ts';
import { isTimeZone } from '../../language/diagnostics/call-arguments.ts';
import { textLibrary } from '../queries/text-library.ts';
import { otherTime } from './line-table.ts';

export interface LineQueryOptions {
  /** Start of the time range, in the same formats as `start` of a query. @default no limit */
  start?: TimePoint | Date | undefined;
  /** End of the time range, in the same formats as `start`. @default no limit */
  end?: TimePoint | Date | undefined;
  /** The current time, for `now()` and relative times. @default the system clock */
  now?: number | Date | undefined;
  /**
   * IANA name of the time zone for buckets of a day or longer, and for times in lines that have none.
   *
   * @default 'UTC' for buckets, the zone of this machine for lines
   */
  timeZone?: string | undefined;
  /**
   * When the last line was written, epoch milliseconds: a time without a year is not later, and lines have this time if no
   * line has one. Their `@timestamp.source` is `unknown`, without this option `arrival`.
   *
   * @default now
   */
  modified?: number | undefined;
  /** Fields of all lines, such as `{ '#file': 'app.log' }`. Read whenever lines arrive. @default none */
  tags?: Readonly<Record<string, string>> | undefined;
  /** Values for the parameters (`?name`) of the query. */
  arguments?: Readonly<Record<string, string | number | undefined>> | undefined;
  /** Lookup files that the query uses: CSV or JSON text by file name. @default {} */
  files?: Readonly<Record<string, string>> | undefined;
  /** Saved queries that the query uses: query strings by name. @default {} */
  savedQueries?: Readonly<Record<string, string>> | undefined;
  /**
   * Approximate memory limit of the query, in bytes. It covers groups, and also events if the query needs all of them
   * at once.
   *
   * @default 536_870_912 (512 MiB)
   */
  maxBytes?: number | undefined;
  /**
   * CPU time limit of the query, in milliseconds. Reading lines does not count.
   *
   * @default 60_000
   */
  maxCpuMs?: number | undefined;
  /**
   * CPU time that each line adds to `maxCpuMs`, in milliseconds.
   *
   * @default 1
   */
  maxCpuMsPerLine?: number | undefined;
}

export type ResolvedLineQueryOptions = ReturnType<typeof resolveLineQueryOptions>;

const OWNER = 'LineQuery';
const KNOWN = [
  'start',
  'end',
  'now',
  'timeZone',
  'modified',
  'tags',
  'arguments',
  'files',
  'savedQueries',
  'maxBytes',
  'maxCpuMs',
  'maxCpuMsPerLine',
];
const DEFAULT_MAX_BYTES = 512 * 1024 * 1024;
const DEFAULT_MAX_CPU_MS = 60_000;

const timeOf = (name: string, time: unknown) =>
  time === undefined ? undefined : requireTimePoint(OWNER, name, time);

/** @throws LogOptionsException */
export function resolveLineQueryOptions(options: LineQueryOptions) {
  refuseUnknownOptions(OWNER, options, KNOWN);
  // A getter is read when a query needs it, because Intl takes long to load.
  const timeZone = Object.getOwnPropertyDescriptor(options, 'timeZone')?.value;
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    const message = `${OWNER}: "timeZone" must be the name of a time zone such as "Europe/Berlin" (got ${describe(timeZone)}).`;
    throw new LogOptionsException(message);
  }
  const now = options.now === undefined ? Date.now() : Number(options.now);
  const modified = requireInteger(OWNER, 'modified', Math.floor(options.modified ?? now), { min: 0 });
  return Object.freeze({
    otherwise: () => otherTime(options.modified, options.now === undefined ? Date.now() : now),
    start: timeOf('start', options.start),
    end: timeOf('end', options.end),
    now: requireInteger(OWNER, 'now', now, { min: 0 }),
    get timeZone() {
      return options.timeZone ?? 'UTC';
    },
    times: new WrittenTimes({
      get timeZone() {
        return options.timeZone;
      },
      latest: modified,
    }),
    tags: options.tags,
    library: textLibrary({
      files: requireStringMap(OWNER, 'files', options.files ?? {}),
      savedQueries: requireStringMap(OWNER, 'savedQueries', options.savedQueries ?? {}),
    }),
    arguments: requireStringMap(OWNER, 'arguments', options.arguments ?? {}, true),
    maxBytes: requireInteger(OWNER, 'maxBytes', options.maxBytes ?? DEFAULT_MAX_BYTES, { min: 1 }),
    maxCpuMs: requireInteger(OWNER, 'maxCpuMs', options.maxCpuMs ?? DEFAULT_MAX_CPU_MS, { min: 1 }),
    maxCpuMsPerLine: requireInteger(OWNER, 'maxCpuMsPerLine', options.maxCpuMsPerLine ?? 1, { min: 0 }),
  });
}
