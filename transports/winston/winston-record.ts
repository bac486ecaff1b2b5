import type { LogEvent } from '../../src/wire/query.ts';
import { nestFields } from './nested-fields.ts';

/** A record as winston had it: `level`, `message`, the fields that were logged, and `timestamp` as ISO 8601. */
export type WinstonRecord = Record<string, unknown>;

/**
 * The record that an event was made of. The service keeps it as JSON in `@rawstring`, with its nesting and its types;
 * where a parser has put something else there, the fields of the event are nested again, and their values are text.
 */
export function winstonRecord(event: LogEvent): WinstonRecord {
  const { level, message, ...fields } = jsonObject(event['@rawstring']) ?? nestFields(event);
  const timestamp = new Date(Number(event['@timestamp']));
  return {
    ...(level !== undefined && { level }),
    ...(message !== undefined && { message }),
    ...fields,
    ...(!Number.isNaN(timestamp.getTime()) && { timestamp: timestamp.toISOString() }),
  };
}

function jsonObject(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Cut by the service, or not JSON at all.
  }
}
