import { epochMsOf, levelLabel } from '../../core/records/logger-line.ts';
import { type Fields, setField } from '../../engine/index.ts';
import { leadingInstant } from '../ingest/instant.ts';
import { LineError, type ParsedLine, parseJsonLine } from '../ingest/json-line.ts';

/**
 * Converts a line to an event. The members of a JSON object become fields, and a numeric level of pino or bunyan
 * becomes its label. Other lines have only text, and the time at their start. Default time: `now`.
 */
export function lineEvent(line: string, now: number): Fields {
  const { instant, fields } = parseLine(line);
  const label = levelLabel(fields.level, fields.time);
  const time = instant === undefined ? now : instant.epochMs;
  const event: Fields = {
    '@timestamp': String(label === undefined ? time : epochMsOf(time)),
    '@rawstring': line,
  };
  for (const name in fields) setField(event, name, fields[name]!);
  if (label !== undefined) setField(event, 'level', label);
  return event;
}

function parseLine(line: string): ParsedLine {
  if (!line.trimStart().startsWith('{')) return textLine(line);
  try {
    return parseJsonLine(line);
  } catch (error) {
    if (error instanceof LineError) return textLine(line);
    throw error;
  }
}

function textLine(line: string): ParsedLine {
  return { instant: leadingInstant(line), fields: {} };
}
