import { LogOptionsException } from '../../core/errors.ts';
import { CALL_OPTION_NAMES, type CallOptions } from '../../core/http/call-options.ts';
import {
  type Check,
  describe,
  refuseUnknownOptions,
  requireBoolean,
  requireInteger,
  requireObject,
  requireString,
  requireText,
  requireTexts,
  wrongKind,
} from '../../core/option-checks.ts';
import { requireStringMap } from '../../core/string-map.ts';
import { requireEpochMs, requireLength, requireTimePoint } from '../../core/time-option.ts';
import type { QueryAround, QueryInput, TimePoint } from '../../core/wire/query.ts';

/** Options of a query. */
export interface QueryOptions extends CallOptions {
  /**
   * Start of the time range: a Date, ISO 8601 with an offset (`2026-11-20T10:00:00Z`), epoch milliseconds, `now`, or a
   * relative time such as `10 minutes` or `1d@d`.
   *
   * @default '24hours'
   */
  start?: TimePoint | Date | undefined;
  /** End of the time range, in the same formats as `start`. @default 'now' */
  end?: TimePoint | Date | undefined;
  /**
   * Searches by the time at which events arrived (`@ingesttimestamp`) instead of their own time: `ingestStart` and
   * `ingestEnd` replace `start` and `end`. Finds late events.
   *
   * @default false
   */
  useIngestTime?: boolean | undefined;
  /** Start of the range of arrival times, in the same formats as `start`. */
  ingestStart?: TimePoint | Date | undefined;
  /** End of the range of arrival times, in the same formats as `start`. */
  ingestEnd?: TimePoint | Date | undefined;
  /**
   * Returns only the matching events next to a known event, at most 200 with that event. Requires a query job and a
   * query without an aggregate function.
   *
   * @example { eventId: event['@id'], timestamp: event['@timestamp'], numberOfEventsBefore: 20 }
   */
  around?: AroundOption | undefined;
  /**
   * Keeps the query running as new events arrive. Requires a relative `start`; `end` must be omitted or `now`.
   *
   * @default false
   */
  isLive?: boolean | undefined;
  /** Time zone offset, in minutes east of UTC. Affects relative times and buckets of a day or longer. @default 0 */
  timeZoneOffsetMinutes?: number | undefined;
  /** Time zone name, such as `Europe/Copenhagen`. Overrides `timeZoneOffsetMinutes`. */
  timeZone?: string | undefined;
  /** Values for the parameters (`?name`) of the query. With `undefined`, a parameter has its default. */
  arguments?: Readonly<Record<string, string | number | undefined>> | undefined;
  /**
   * Columns whose values become numbers, such as `_count`. Values that are no decimal number stay strings. Numbers above
   * 2^53 lose digits. The type of the rows stays the same: pass your own, as in `query<{ _count: number }>(…)`.
   *
   * @default none, because the service returns strings
   */
  numbers?: readonly string[] | undefined;
  /** Additional members of the request body, which override the options above. */
  rawData?: Readonly<Record<string, unknown>> | undefined;
}

/** A known event, and how many of the events next to it to return. */
export interface AroundOption extends Omit<QueryAround, 'timestamp'> {
  /** Timestamp of that event: epoch milliseconds, or a Date. */
  timestamp: number | Date;
}

/** The checks of the options that are members of the request body. */
const MEMBERS = {
  start: requireTimePoint,
  end: requireTimePoint,
  ingestStart: requireTimePoint,
  ingestEnd: requireTimePoint,
  useIngestTime: requireBoolean,
  isLive: requireBoolean,
  around: requireAround,
  timeZoneOffsetMinutes: (owner, name, value) =>
    requireInteger(owner, name, value, { min: -18 * 60, max: 18 * 60 }),
  timeZone: requireText,
  arguments: (owner, name, value) => requireStringMap(owner, name, value, true),
} satisfies Record<Exclude<keyof QueryOptions, keyof CallOptions | 'numbers' | 'rawData'>, Check>;

const QUERY_OPTION_NAMES = [...Object.keys(MEMBERS), 'numbers', 'rawData', ...CALL_OPTION_NAMES];

/**
 * Validates a query's options and builds the body of its request.
 *
 * @param owner the operation, for messages.
 * @param ownNames options of the operation besides {@link QueryOptions}.
 * @throws LogOptionsException
 */
export function resolveQueryInput(
  owner: string,
  queryString: string,
  options: QueryOptions,
  ownNames: readonly string[] = [],
): QueryInput {
  requireString(owner, 'the query', queryString);
  refuseUnknownOptions(owner, options, [...QUERY_OPTION_NAMES, ...ownNames]);
  if (options.numbers !== undefined) requireTexts(owner, 'numbers', options.numbers);
  const { rawData } = options;
  if (rawData !== undefined) requireObject(owner, '"rawData"', rawData);
  const given = { ...options, ...rawData };
  if (given.isLive === true) requireLiveInterval(owner, given);
  const input: QueryInput = { queryString };
  for (const [name, check] of Object.entries<Check>(MEMBERS)) {
    const value = options[name as keyof typeof MEMBERS];
    if (value !== undefined) input[name] = check(owner, name, value);
  }
  Object.assign(input, rawData);
  requireOrder(owner, input);
  return Object.freeze(input);
}

function requireAround(owner: string, option: string, value: unknown): QueryAround {
  const name = `${owner}: "${option}"`;
  const around = value as AroundOption;
  refuseUnknownOptions(name, around, ['eventId', 'timestamp', 'numberOfEventsBefore', 'numberOfEventsAfter']);
  const { eventId, numberOfEventsBefore: before, numberOfEventsAfter: after } = around;
  if (typeof eventId !== 'string' || eventId === '') {
    throw wrongKind(name, '"eventId"', 'the @id of an event', eventId);
  }
  const timestamp = requireEpochMs(name, 'timestamp', around.timestamp, '');
  if (before !== undefined) requireInteger(name, 'numberOfEventsBefore', before);
  if (after !== undefined) requireInteger(name, 'numberOfEventsAfter', after);
  return { ...around, timestamp };
}

const INTERVALS = [
  ['start', 'end'],
  ['ingestStart', 'ingestEnd'],
] as const;

/** Live queries of the service have a sliding window. */
function requireLiveInterval(owner: string, options: Readonly<Record<string, unknown>>): void {
  for (const [from, to] of INTERVALS) {
    const { [from]: start = 'now', [to]: end = 'now' } = options;
    if (start !== 'now') requireLength(owner, from, start);
    if (end === 'now') continue;
    throw new LogOptionsException(
      `${owner}: a live query has no end; omit "${to}" or set it to "now" (got ${describe(end)}).`,
    );
  }
  if (options.around === undefined) return;
  throw new LogOptionsException(`${owner}: "around" and "isLive" can't be combined.`);
}

function requireOrder(owner: string, input: QueryInput): void {
  for (const [from, to] of INTERVALS) {
    const { [from]: start, [to]: end } = input;
    if (typeof start === 'number' && typeof end === 'number' && start > end) {
      throw new LogOptionsException(`${owner}: "${from}" (${start}) is after "${to}" (${end}).`);
    }
  }
}
