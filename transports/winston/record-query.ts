import { types } from 'node:util';
import { LogOptionsException } from '../../src/core/errors.ts';
import { describe, requireInteger, requireOneOf, requireText } from '../../src/core/option-checks.ts';

/** Options of winston's `logger.query()`. Other options are left to other transports. */
export interface RecordQuery {
  /** Start of the time range. @default 24 hours before `until` */
  from?: Date | number | string | undefined;
  /** End of the time range. @default now */
  until?: Date | number | string | undefined;
  /** Maximum number of records. @default 10 */
  limit?: number | undefined;
  /** Alias of `limit`. */
  rows?: number | undefined;
  /** Number of records to skip, counted in the given order. @default 0 */
  start?: number | undefined;
  /** Order of the records: newest first (`desc`) or oldest first (`asc`). @default 'desc' */
  order?: 'asc' | 'desc' | undefined;
  /** Fields to return. @default all fields */
  fields?: readonly string[] | undefined;
  /** Level of the records to return. @default all levels */
  level?: string | undefined;
}

/** Options of winston's `logger.stream()`. */
export interface RecordStreamOptions {
  /**
   * Number of records to skip, counted from `from`. -1 skips no records; without `from`, it streams only records logged
   * from now on.
   *
   * @default -1
   */
  start?: number | undefined;
  /** Start of the time range. @default now, or 24 hours ago if `start` is 0 or more */
  from?: Date | number | string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

const OWNER = 'LogTransport.query';

/** Times are in epoch milliseconds. @throws LogOptionsException */
export function resolveRecordQuery(options: RecordQuery) {
  const { rows, fields, level } = options;
  const until = optionalTime(OWNER, 'until', options.until);
  const from =
    optionalTime(OWNER, 'from', options.from) ?? (until === undefined ? undefined : until - DAY_MS);
  if (from !== undefined && until !== undefined && from > until) {
    throw new LogOptionsException(`${OWNER}: "from" is after "until".`);
  }
  return {
    from,
    until,
    limit: requireInteger(OWNER, 'limit', rows || options.limit || 10, { min: 1 }),
    start: requireInteger(OWNER, 'start', options.start || 0),
    order: requireOneOf(OWNER, 'order', options.order || 'desc', ['asc', 'desc']),
    fields: fields === undefined || fields === null ? undefined : requireNames(fields),
    level: level === undefined ? undefined : requireText(OWNER, 'level', level),
  };
}

/** Resolves the start time of a stream, and how many records to skip. @throws LogOptionsException */
export function resolveRecordStream({ start = -1, from }: RecordStreamOptions, now: number) {
  const owner = 'LogTransport.stream';
  const first = optionalTime(owner, 'from', from);
  if (start === -1) return { since: first ?? now, skip: 0 };
  return { since: first ?? now - DAY_MS, skip: requireInteger(owner, 'start', start) };
}

function optionalTime(owner: string, name: string, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined;
  const isTime = types.isDate(value) || typeof value === 'number' || typeof value === 'string';
  const time = isTime ? new Date(value).getTime() : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new LogOptionsException(`${owner}: "${name}" must be a Date (got ${describe(value)}).`);
}

function requireNames(fields: unknown): readonly string[] {
  if (Array.isArray(fields) && fields.every((name) => typeof name === 'string')) return fields;
  throw new LogOptionsException(
    `${OWNER}: "fields" must be an array of field names (got ${describe(fields)}).`,
  );
}
