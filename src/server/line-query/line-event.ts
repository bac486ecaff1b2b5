import { levelLabel } from '../../core/records/logger-line.ts';
import { timestampOf } from '../../core/records/timestamp.ts';
import { type Fields, logfmtPairs, setField } from '../../engine/index.ts';
import { accessLogLine } from '../ingest/built-in-parsers.ts';
import { putField } from '../ingest/flatten.ts';
import { type Instant, instantFromNumber, instantFromText, leadingInstant } from '../ingest/instant.ts';
import { LineError, type ParsedLine, parseJsonLine } from '../ingest/json-line.ts';
import { numberOf } from '../ingest/request-shape.ts';

/** Fields in which loggers write the time, by precedence. */
export const TIME_FIELDS = ['@timestamp', 'timestamp', 'time', 'ts'];

/**
 * Converts a line to an event. The members of a JSON object, the pairs of logfmt and the columns of an access log become
 * fields, and a numeric level of pino or bunyan becomes its label. Other lines have only text, and the time at their
 * start. Default time: `now`.
 */
export function lineEvent(line: string, now: number): Fields {
  const json = parseJson(line);
  const { instant, fields } = json ?? parseText(line);
  const event: Fields = { '@timestamp': String(instant?.epochMs ?? now), '@rawstring': line };
  for (const name in fields) setField(event, name, fields[name]!);
  const label = json && levelLabel(fields.level, fields.time);
  if (label !== undefined) setField(event, 'level', label);
  return event;
}

function parseJson(line: string): ParsedLine | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    return parseJsonLine(line, timeOfMembers);
  } catch (error) {
    if (error instanceof LineError) return undefined;
    throw error;
  }
}

function parseText(line: string): ParsedLine {
  const pairs = logfmtPairs(line);
  if (pairs === undefined) return accessLogLine(line) ?? { instant: leadingInstant(line), fields: {} };
  const fields: Record<string, string> = {};
  for (const [name, value] of pairs) putField(fields, name, value);
  return { instant: timeOfMembers(Object.fromEntries(pairs)), fields };
}

function timeOfMembers(members: Readonly<Record<string, unknown>>): Instant | undefined {
  for (const name of TIME_FIELDS) {
    const value = Object.hasOwn(members, name) ? members[name] : undefined;
    const time = timeOfValue(value);
    if (time !== undefined) return instantFromNumber(time);
    if (numberOf(value) !== undefined) return undefined;
  }
  return undefined;
}

/** Reads a time, in epoch milliseconds. A number's unit follows from its size, as in the transports. */
export function timeOfValue(value: unknown): number | undefined {
  const number = numberOf(value);
  const time = timestampOf(number ?? value);
  if (typeof time === 'number') return time;
  // Small numbers are milliseconds.
  if (number !== undefined) return instantFromNumber(number)?.epochMs;
  return typeof value === 'string' ? instantFromText(value)?.epochMs : undefined;
}
