import { LogOptionsException } from '../../core/errors.ts';
import { isJsonObject } from '../../core/json-object.ts';
import {
  compileQuery,
  findTimeZone,
  type Plan,
  parseDuration,
  parseTimePoint,
  type QueryLibrary,
} from '../../engine/index.ts';
import { QueryTextError } from '../../language/index.ts';
import { MAX_QUERY_LENGTH } from '../../language/syntax-tree.ts';
import { HttpError, malformed } from '../http/http-error.ts';

const DEFAULT_NEIGHBORS = 100;

/** A query as requested: compiled and validated, with relative times. */
export interface QueryRequest {
  /** `*` if it was empty. */
  readonly queryString: string;
  readonly plan: Plan;
  /** Returns the plan for a query that runs repeatedly. */
  readonly freshPlan: () => Plan;
  readonly isLive: boolean;
  /** The interval of event times, or of ingest times if {@link useIngestTime} is set. */
  readonly start: number | string;
  readonly end: number | string;
  readonly useIngestTime: boolean;
  /** An interval of ingest times in addition to that of event times. */
  readonly ingest: TimeInterval | undefined;
  readonly timeZone: string;
  /** Time zone of the times. */
  readonly intervalTimeZone: string;
  readonly around: Around | undefined;
  /** The flags that responses repeat. */
  readonly flags: Readonly<Record<(typeof FLAGS)[number], boolean>>;
}

const FLAGS = [
  'isInteractive',
  'includeDeletedEvents',
  'showQueryEventDistribution',
  'noResultUntilDone',
] as const;

export interface Around {
  readonly eventId: string;
  readonly timestamp: number;
  readonly before: number;
  readonly after: number;
}

/** Two times as requested: epoch milliseconds, or a string such as `24hours`. */
interface TimeInterval {
  readonly start: number | string;
  readonly end: number | string;
}

/** An interval in epoch milliseconds, inclusive. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** The interval of a query: of event times unless `useIngestTime` is set. */
export interface QueryWindow extends Interval {
  readonly useIngestTime: boolean;
  /** Arrival times of the events; `undefined` for any time. */
  readonly arrival: Interval | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/**
 * Parses the body that creates a query. Ignores members that have no effect here.
 *
 * @param eventFilter a filter that runs before the query.
 * @throws HttpError 400 if the body or the query is invalid.
 */
export function readQueryRequest(
  body: Body,
  now: number,
  library: QueryLibrary,
  eventFilter?: string,
): QueryRequest {
  const queryString = requireQueryString(body.queryString);
  const isLive = flag(body, 'isLive');
  const around = readAround(body.around);
  const queryArguments = readArguments(body.arguments);
  const compileAnew = (): Plan =>
    compileQuery(queryString, { arguments: { ...queryArguments }, library, before: eventFilter });
  const plan = compile(compileAnew);
  const timeZone = readTimeZone(body);
  const request: QueryRequest = {
    queryString,
    plan,
    freshPlan: freshPlan(plan, library, compileAnew),
    isLive,
    ...readIntervals(body, plan.interval),
    timeZone,
    intervalTimeZone: plan.interval?.timeZone ?? timeZone,
    around,
    flags: Object.fromEntries(FLAGS.map((name) => [name, flag(body, name)])) as QueryRequest['flags'],
  };
  if (isLive) requireLiveInterval(request);
  if (isLive && request.ingest !== undefined && request.ingest.end !== 'now') {
    throw new HttpError(400, "A live query always ends now: omit 'ingestEnd'.");
  }
  if (around !== undefined && request.plan.isAggregate) {
    throw new HttpError(400, "'around' only works with a filter query, not with an aggregate.");
  }
  windowOf(request, now);
  return request;
}

/** The interval of a query at this time. @throws HttpError 400 if its times are invalid. */
export function windowOf(request: QueryRequest, now: number): QueryWindow {
  const { useIngestTime, ingest, intervalTimeZone } = request;
  const window = intervalOf(request, now, intervalTimeZone);
  const arrival = useIngestTime ? window : ingest && intervalOf(ingest, now, intervalTimeZone);
  // A live query also reads the events that arrive later.
  if (!request.isLive || arrival === undefined) return { ...window, useIngestTime, arrival };
  return { ...window, useIngestTime, arrival: { ...arrival, end: Number.POSITIVE_INFINITY } };
}

function intervalOf({ start, end }: TimeInterval, now: number, timeZone: string): Interval {
  try {
    const interval = {
      start: parseTimePoint({ value: start, now, timeZone }),
      end: parseTimePoint({ value: end, now, timeZone }),
    };
    if (interval.start <= interval.end) return interval;
  } catch (error) {
    throw error instanceof LogOptionsException ? new HttpError(400, error.message) : error;
  }
  const message = `The start of the query is after its end${end === 'now' ? ', which is now' : ''}.`;
  throw new HttpError(400, message);
}

/** The interval in the query overrides that of the request; `useIngestTime` selects its kind of time. */
function readIntervals(
  body: Body,
  own: TimeInterval | undefined,
): Pick<QueryRequest, 'start' | 'end' | 'useIngestTime' | 'ingest'> {
  const useIngestTime = flag(body, 'useIngestTime');
  const times = { start: readTime(body, 'start') ?? '24hours', end: readTime(body, 'end') ?? 'now' };
  const [start, end] = [readTime(body, 'ingestStart'), readTime(body, 'ingestEnd')];
  if (useIngestTime) {
    const arrival = { start: start ?? times.start, end: end ?? times.end };
    return { ...arrival, ...own, useIngestTime, ingest: undefined };
  }
  const isLimited = (start ?? end) !== undefined;
  const ingest = isLimited ? { start: start ?? 0, end: end ?? 'now' } : undefined;
  return { ...times, ...own, useIngestTime, ingest };
}

/** The query text is invalid; the other members of the request may be valid. */
export class InvalidQueryError extends HttpError {}

function compile(compileAnew: () => Plan): Plan {
  try {
    return compileAnew();
  } catch (error) {
    if (error instanceof QueryTextError) {
      throw new InvalidQueryError(400, `${error.message}\n\`\`\`\n${error.excerpt}\n\`\`\``);
    }
    throw error;
  }
}

function requireQueryString(value: unknown): string {
  if (typeof value !== 'string') {
    throw malformed("Object is missing required member 'queryString', a string.");
  }
  if (value.length > MAX_QUERY_LENGTH) {
    throw new HttpError(400, `The query is longer than ${MAX_QUERY_LENGTH} characters.`);
  }
  return value.trim() === '' ? '*' : value;
}

function readArguments(value: unknown): Readonly<Record<string, string>> {
  const members = value ?? {};
  if (!isJsonObject(members)) throw malformed("Member 'arguments' must be an object of strings.");
  const wrong = Object.entries(members).find(([, argument]) => typeof argument !== 'string');
  if (wrong !== undefined) throw malformed(`Member 'arguments.${wrong[0]}' must be a string.`);
  return members as Record<string, string>;
}

function readTime(
  body: Body,
  name: 'start' | 'end' | 'ingestStart' | 'ingestEnd',
): number | string | undefined {
  const value = body[name] ?? undefined;
  if (value === undefined || typeof value === 'string' || Number.isInteger(value)) {
    return value as number | string | undefined;
  }
  const message = `Member '${name}' must be a whole number of epoch milliseconds or a string such as "24hours".`;
  throw malformed(message);
}

function readTimeZone({ timeZone, timeZoneOffsetMinutes }: Body): string {
  if (timeZone != null) {
    if (typeof timeZone === 'string' && findTimeZone(timeZone) !== undefined) return timeZone;
    const message = 'Member \'timeZone\' is not a time zone. Use an IANA name such as "Europe/Copenhagen".';
    throw new HttpError(400, message);
  }
  const minutes = timeZoneOffsetMinutes ?? 0;
  if (typeof minutes !== 'number' || !Number.isInteger(minutes) || Math.abs(minutes) > 18 * 60) {
    throw malformed("Member 'timeZoneOffsetMinutes' must be a whole number from -1080 to 1080.");
  }
  if (minutes === 0) return 'UTC';
  const digits = (value: number): string => String(value).padStart(2, '0');
  const distance = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${digits(Math.floor(distance / 60))}:${digits(distance % 60)}`;
}

/** A live query has a sliding window from a relative time until now. */
function requireLiveInterval({ start, end, useIngestTime }: QueryRequest): void {
  if (end !== 'now') {
    const name = useIngestTime ? 'ingestEnd' : 'end';
    throw new HttpError(400, `A live query always ends now: omit '${name}'.`);
  }
  if (start === 'now') return;
  try {
    parseDuration(String(start));
  } catch {
    throw new HttpError(400, 'A live query needs a start relative to now, such as "24hours".');
  }
}

function readAround(value: unknown): Around | undefined {
  if (value == null) return undefined;
  if (!isJsonObject(value)) throw malformed("Member 'around' must be an object.");
  const { eventId, timestamp, numberOfEventsBefore, numberOfEventsAfter } = value;
  if (typeof eventId !== 'string') throw malformed("Member 'around.eventId' must be a string.");
  if (!Number.isInteger(timestamp)) throw malformed("Member 'around.timestamp' must be epoch milliseconds.");
  return {
    eventId,
    timestamp: timestamp as number,
    before: readCount(numberOfEventsBefore, 'numberOfEventsBefore'),
    after: readCount(numberOfEventsAfter, 'numberOfEventsAfter'),
  };
}

function readCount(value: unknown, name: string): number {
  const count = value ?? DEFAULT_NEIGHBORS;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 0) return count;
  throw malformed(`Member 'around.${name}' must be a whole number of at least 0.`);
}

/** Whether the service accepts `"true"`, which clients can send through raw data, is not documented. */
function flag(body: Body, name: string): boolean {
  const value = body[name] ?? false;
  if (typeof value === 'boolean') return value;
  throw malformed(`Member '${name}' must be true or false.`);
}

/**
 * Returns the plan of a query that runs repeatedly: compiled again if one of its lookup files has changed. If a file was
 * deleted, or the query is invalid with it, the previous version is used.
 */
function freshPlan(first: Plan, library: QueryLibrary, compileAnew: () => Plan): () => Plan {
  let plan = first;
  return () => {
    const hasChanged = [...plan.files].some(([name, table]) => (library.file(name) ?? table) !== table);
    try {
      if (hasChanged) plan = compileAnew();
    } catch (error) {
      if (!(error instanceof QueryTextError)) throw error;
    }
    return plan;
  };
}
