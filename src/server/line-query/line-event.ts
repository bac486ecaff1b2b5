import type { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { memberAt, readLogLine, timeIn } from '../../core/records/log-line.ts';
import { levelLabel } from '../../core/records/logger-line.ts';
import { exactText, type Fields, parseExactJson } from '../../engine/index.ts';
import { flattenInto } from '../ingest/flatten.ts';

/** The `@timestamp` of a line without a time. */
export const UNKNOWN_TIME = '';

/**
 * Converts a line to an event. What the line says becomes fields, and a numeric level of pino or bunyan becomes its label.
 */
export function lineEvent(line: string, times: WrittenTimes): Fields {
  const { members, time } = readLogLine(line, times, parseExactJson);
  const event: Fields = { '@timestamp': UNKNOWN_TIME, '@rawstring': line };
  try {
    flattenInto(event, members);
  } catch (error) {
    // It is nested too deeply.
    if (!(error instanceof RangeError)) throw error;
    return { '@timestamp': UNKNOWN_TIME, '@rawstring': line };
  }
  const [, ownTime] = timeIn((name) => plainValue(memberAt(members, name)), times) ?? [];
  event['@timestamp'] = String(ownTime ?? time ?? UNKNOWN_TIME);
  const label = levelLabel(event.level, event.time);
  if (label !== undefined) event.level = label;
  return event;
}

/** A number in its text form, because its digits are exact. */
function plainValue(value: unknown): unknown {
  return typeof value === 'string' ? exactText(value) : value;
}
