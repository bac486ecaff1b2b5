import type { WrittenTimes } from '../../core/records/formats/written-times.ts';
import { type JsonReader, readLogLine } from '../../core/records/log-line.ts';
import { levelLabel } from '../../core/records/logger-line.ts';
import { exactText, type Fields, parseExactJson } from '../../engine/index.ts';
import { flattenInto } from '../ingest/flatten.ts';

/** The digits of numbers are exact. */
const EXACT_JSON: JsonReader = {
  parse: parseExactJson,
  plain: (value) => (typeof value === 'string' ? exactText(value) : value),
};

/** The `@timestamp` of a line without a time. */
export const UNKNOWN_TIME = '';

/** Fields that only a server sets. A line has them if it is an event that a query returned. */
const RETURNED = ['@id', '@ingesttimestamp', '@timezone', '@rawstring', '#repo', '#type'];

/**
 * Converts a line to an event. What the line says becomes fields, and a numeric level of pino or bunyan becomes its label.
 *
 * @param isOwn whether the fields that a server sets are those of the line
 */
export function lineEvent(line: string, times: WrittenTimes, isOwn = false): Fields {
  const { members, time } = readLogLine(line, times, EXACT_JSON);
  const event: Fields = { '@timestamp': UNKNOWN_TIME, '@rawstring': line };
  try {
    const said = members();
    flattenInto(event, said);
    for (const name of isOwn ? RETURNED : []) {
      const value = EXACT_JSON.plain(said[name]);
      if (typeof value === 'string') event[name] = value;
    }
  } catch (error) {
    // It is nested too deeply.
    if (!(error instanceof RangeError)) throw error;
    return { '@timestamp': UNKNOWN_TIME, '@rawstring': line };
  }
  event['@timestamp'] = String(time ?? UNKNOWN_TIME);
  const label = levelLabel(event.level, event.time, event.msg !== undefined);
  if (label !== undefined) event.level = label;
  return event;
}
