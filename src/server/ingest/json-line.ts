import { isJsonObject } from '../../core/json-object.ts';
import { parseExactJson } from '../../engine/index.ts';
import type { StoredEvent } from '../store/stored-event.ts';
import { flattenInto } from './flatten.ts';
import { type Instant, instantFromNumber, instantFromText } from './instant.ts';
import { numberOf } from './request-shape.ts';

export interface ParsedLine {
  readonly instant?: Instant | undefined;
  readonly fields: StoredEvent;
}

/** A line that a parser can't read. The event is stored with this message in `@error_msg`. */
export class LineError extends Error {}

/** Fields that mark an event whose parser failed. */
export function failureFields(message: string): StoredEvent {
  return { '@error': 'true', '@event_parsed': 'false', '@error_msg': message };
}

/** Members with the time of a JSON line, by precedence. */
const TIME_MEMBERS = ['@timestamp', 'timestamp', 'time'];

export function parseJsonLine(line: string): ParsedLine {
  let value: unknown;
  try {
    value = parseExactJson(line);
  } catch {
    throw new LineError('The text is not JSON.');
  }
  if (!isJsonObject(value)) throw new LineError('The text is JSON, but not an object.');
  const fields: Record<string, string> = {};
  try {
    flattenInto(fields, value);
  } catch (error) {
    throw error instanceof RangeError ? new LineError(`The JSON is ${error.message}.`) : error;
  }
  return { instant: timeOf(value), fields };
}

export function timeOf(members: Readonly<Record<string, unknown>>): Instant | undefined {
  for (const name of TIME_MEMBERS) {
    const value = members[name];
    const instant = instantOf(value);
    if (instant !== undefined || numberOf(value) !== undefined) return instant;
  }
  return undefined;
}

/** The instant of epoch milliseconds or ISO 8601 text; `undefined` for anything else. */
export function instantOf(value: unknown, timezone?: string): Instant | undefined {
  const epochMs = numberOf(value);
  if (epochMs !== undefined) return instantFromNumber(epochMs, timezone);
  return typeof value === 'string' ? instantFromText(value) : undefined;
}
