import type { RecordError } from '../../core/records/record-error.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from '../../core/records/record-fields.ts';
import { levelName, type Severity, severityOf } from '../../core/records/severity.ts';
import type { Row } from '../api/rows.ts';
import { unitOf } from './units.ts';

/** An event, with the values that every row shows. */
export interface LogRecord {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly level: string;
  readonly severity: Severity;
  readonly service: string;
  readonly message: string;
  readonly row: Row;
}

export function toRecord(row: Row, index = 0): LogRecord {
  const level = firstOf(row, LEVEL_FIELDS);
  const time = Number(row['@timestamp']);
  return {
    id: String(row['@id'] ?? `${time}-${index}`),
    time,
    level: levelName(level),
    severity: severityOf(level),
    service: firstOf(row, SERVICE_FIELDS),
    message: firstOf(row, MESSAGE_FIELDS),
    row,
  };
}

/** The part of a query that selects a record, and a number of those before and after it. */
export function around({ id, time }: LogRecord, before: number, after: number) {
  return { eventId: id, timestamp: time, numberOfEventsBefore: before, numberOfEventsAfter: after };
}

export function isError({ severity }: LogRecord): boolean {
  return severity === 'error' || severity === 'fatal';
}

/** The field with the message of a row; `undefined` if it has none. */
export function messageField(row: Row): string | undefined {
  return filledField(row, MESSAGE_FIELDS);
}

/** The first of some fields that has a value. */
export function filledField(row: Row, names: readonly string[]): string | undefined {
  return names.find((name) => row[name] !== undefined && row[name] !== '');
}

function firstOf(row: Row, names: readonly string[]): string {
  const name = filledField(row, names);
  return name === undefined ? '' : String(row[name]);
}

const SHOWN_ELSEWHERE = new Set([
  ...LEVEL_FIELDS,
  ...SERVICE_FIELDS,
  ...MESSAGE_FIELDS,
  ...['pid', 'hostname', 'time', 'timestamp', 'v'],
]);

const STATUS = /status/i;
const DURATION = /(?:^|[._])(?:ms|duration|elapsed|latency|responseTime|took)(?:_?ms)?$/i;
/** Names of an ID that all records of a request share, in any spelling: `reqId`, `trace_id`, `http.request.id`, `traceparent`. */
export const SHARED_ID =
  /(?:^|[._-]|aws|http)(?:req|request|trace|correlation|operation|invocation|session)[._-]?id$|(?:^|[._-])traceparent$/i;

/** Fields that help most to understand a record, most important first. */
const TELLING = [
  /^(?:(?:err|error|exception)\.)?code$/,
  DURATION,
  /(?:^|\.)(?:url|path|route)$/i,
  STATUS,
  /(?:^|\.)method$/i,
  /user|customer|order|invoice/i,
  SHARED_ID,
];

type Field = readonly [name: string, value: string];

/** The fields that a row shows beside the message and its error, at most three. */
export function tellingFields({ row }: LogRecord, error: RecordError | undefined): readonly Field[] {
  const ranked: { rank: number; field: Field }[] = [];
  for (const name in row) {
    if (/^[@#]/.test(name) || SHOWN_ELSEWHERE.has(name)) continue;
    if (error?.fields.has(name) && !name.endsWith('code')) continue;
    const value = String(row[name]);
    if (value === '') continue;
    ranked.push({ rank: rankOf(name, value), field: [name, value] });
    // Records with thousands of fields must not slow the list down.
    if (ranked.length === 60) break;
  }
  return ranked
    .sort((left, right) => left.rank - right.rank)
    .slice(0, 3)
    .map(({ field }) => field);
}

/** How long the work of a record took, in milliseconds; 0 if it doesn't say so with a unit. */
export function durationOf({ row }: LogRecord): number {
  const durations = Object.keys(row).filter((name) => DURATION.test(name) && unitOf(name) === 'ms');
  return Math.max(0, ...durations.map((name) => Number(row[name])).filter(Number.isFinite));
}

function rankOf(name: string, value: string): number {
  if (toneOf(name, value) === 'failed') return -1;
  const rank = TELLING.findIndex((pattern) => pattern.test(name));
  return rank === -1 ? TELLING.length + (value.length > 40 ? 1 : 0) : rank;
}

/** Marks a value that needs attention: a slow duration, or a failed status. */
export function toneOf(name: string, value: string): 'slow' | 'failed' | undefined {
  const number = Number(value);
  if (value === '' || Number.isNaN(number)) return undefined;
  if (STATUS.test(name)) return number >= 500 && number < 600 ? 'failed' : undefined;
  return unitOf(name) === 'ms' && number > 500 ? 'slow' : undefined;
}
