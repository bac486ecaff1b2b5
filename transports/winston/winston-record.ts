import type { LogEvent } from '../../src/wire/query.ts';
import { nestFields } from './nested-fields.ts';

/** A record as it was logged: `level`, `message`, other fields, and `timestamp` in ISO 8601. */
export type WinstonRecord = Record<string, unknown>;

/**
 * Restores the record from an event. The service keeps it as JSON in `@rawstring`, with nesting and types. If a parser has
 * replaced that, the record is restored from the fields of the event, and its values are strings.
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
