import { type Fields, setField } from '../../query-engine/index.ts';
import { leadingInstant } from '../ingest/instant.ts';
import { parseJsonLine } from '../ingest/json-line.ts';
import { LineError } from '../ingest/line-error.ts';
import type { ParsedLine } from '../ingest/parsed-line.ts';

/**
 * A line as an event. The members of a JSON object become fields; of any other line there is its text alone, and the
 * time that it begins with. A line without a time is of the moment in which it is read.
 */
export function lineEvent(line: string, now: number): Fields {
  const { instant, fields } = parseLine(line);
  const event: Fields = { '@timestamp': String(instant?.epochMs ?? now), '@rawstring': line };
  for (const name in fields) setField(event, name, fields[name]!);
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
