import { WrittenTimes } from './formats/written-times.ts';
import { type LogLine, memberAt, readLogLine, timeIn } from './log-line.ts';
import type { PatternRecord } from './pattern-groups.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, REQUEST_FIELDS, SERVICE_FIELDS } from './record-fields.ts';
import { levelName } from './severity.ts';

type Fields = Readonly<Record<string, unknown>>;

const LOCAL_TIMES = new WrittenTimes();
const NONE: readonly [string, string] = ['', ''];

/** A line of a log. */
export interface LoggedLine extends PatternRecord {
  readonly isJson: boolean;
  /** The members of JSON, or the fields of text. */
  readonly fields: Fields;
  /** Name of the member with the time; `undefined` without one. */
  readonly timeField: string | undefined;
  readonly text: string;
}

/** Reads a line: JSON of any logger, or text. Without a time, `time` is `NaN`. */
export function loggedLine(text: string, times = LOCAL_TIMES): LoggedLine {
  const line = readLogLine(text, times);
  return recordOf(line.members(), line, line.isJson, text);
}

/** Reads the fields of an event. */
export function loggedFields(fields: Fields): LoggedLine {
  return recordOf(fields, timeIn(fields, LOCAL_TIMES), true, '');
}

/** What the pattern of a record is about: without a message, its request, such as `GET /shop/17`. */
export function patternRecord(line: LoggedLine): PatternRecord {
  if (line.message !== '' && line.field !== '@rawstring') return line;
  const [method, url] = REQUEST_FIELDS.map((names) => named(line.fields, names)[1]);
  return method && url ? { ...line, field: 'request', message: `${method} ${url.split('?', 1)[0]}` } : line;
}

function recordOf(
  fields: Fields,
  { time = Number.NaN, timeField }: Pick<LogLine, 'time' | 'timeField'>,
  isJson: boolean,
  text: string,
): LoggedLine {
  const level = levelName(named(fields, LEVEL_FIELDS)[1]);
  const [, service] = named(fields, SERVICE_FIELDS);
  const [field, message] = named(fields, MESSAGE_FIELDS, isJson ? NONE : ['@rawstring', text]);
  return { level, service, field, message, timeField, time, isJson, fields, text };
}

/** The first of these names that has a value, and that value. */
function named(fields: Fields, names: readonly string[], otherwise = NONE): readonly [string, string] {
  for (const name of names) {
    const value = memberAt(fields, name);
    // Stored events have the members of an object as fields.
    if (value !== undefined && value !== '' && typeof value !== 'object') return [name, String(value)];
  }
  return otherwise;
}
