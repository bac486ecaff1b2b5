import { cutAtWord } from '../../../src/core/cut-at-word.ts';
import { isJsonObject } from '../../../src/core/json-object.ts';
import {
  type BrowserRecord,
  type BrowserRecordsRequest,
  LOG_LEVELS,
} from '../../../src/core/wire/browser-records.ts';
import type { IngestEvent } from '../../../src/ingest/record/ingest-event.ts';
import type { FieldFilter } from './field-filter.ts';
import { Rejection } from './rejection.ts';

/** Records that are older get this age. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;

const MAX_USER_AGENT_LENGTH = 500;

/** A forged number must not ruin the sum of all. */
const MAX_LOST = 100_000;

const TAGS = { source: 'browser' } as const;

export interface EventContext {
  readonly nowMs: number;
  readonly userAgent: string | null;
  readonly fields: FieldFilter;
}

/**
 * The events of a request. Tags and everything that marks them as coming from a browser are set here.
 *
 * @throws Rejection if the body does not have the shape of {@link BrowserRecordsRequest}.
 */
export function browserEvents(body: unknown, context: EventContext): IngestEvent[] {
  const { sentAt, lost, records } = checkedRequest(body);
  const userAgent =
    context.userAgent === null ? {} : { userAgent: cutAtWord(context.userAgent, MAX_USER_AGENT_LENGTH) };
  const { nowMs } = context;
  const events = records.map((record, index): IngestEvent => {
    const { timestamp, level, message, fields } = checkedRecord(record, index);
    // The clocks of browsers are often wrong, but the age of a record is right.
    const ageMs = Math.min(Math.max((sentAt ?? nowMs) - timestamp, 0), MAX_AGE_MS);
    const attributes = { ...context.fields.apply(fields ?? {}), ...userAgent, level, message };
    return { timestamp: nowMs - ageMs, attributes, tags: TAGS };
  });
  if (lost > 0) {
    const message = `Records lost in the browser: ${lost}`;
    const attributes = { ...userAgent, level: 'warn', message, lostRecords: lost };
    events.push({ timestamp: nowMs, attributes, tags: TAGS });
  }
  return events;
}

function checkedRequest(body: unknown) {
  const request = (isJsonObject(body) ? body : {}) as Record<keyof BrowserRecordsRequest, unknown>;
  const { sentAt, lost = 0, records } = request;
  if (!Array.isArray(records)) throw invalid('The body must be an object with an array "records".');
  if (sentAt !== undefined && !isTime(sentAt)) throw invalid('"sentAt" must be epoch milliseconds.');
  if (!Number.isSafeInteger(lost) || (lost as number) < 0) throw invalid('"lost" must be a whole number.');
  return { sentAt, lost: Math.min(lost as number, MAX_LOST), records: records as readonly unknown[] };
}

function checkedRecord(record: unknown, index: number): BrowserRecord {
  const where = `records[${index}]`;
  if (!isJsonObject(record)) throw invalid(`${where} must be an object.`);
  const { timestamp, level, message, fields } = record;
  if (!isTime(timestamp)) throw invalid(`${where}.timestamp must be epoch milliseconds.`);
  const known = LOG_LEVELS.find((each) => each === level);
  if (!known) throw invalid(`${where}.level must be one of ${LOG_LEVELS.join(', ')}.`);
  if (typeof message !== 'string') throw invalid(`${where}.message must be a string.`);
  if (fields !== undefined && !isJsonObject(fields)) throw invalid(`${where}.fields must be an object.`);
  return { timestamp, level: known, message, fields };
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

function invalid(message: string): Rejection {
  return new Rejection(400, 'invalid', message);
}
