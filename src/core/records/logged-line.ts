import { WrittenTimes } from './formats/written-times.ts';
import { memberAt, readLogLine, timeIn } from './log-line.ts';
import type { PatternRecord } from './pattern-groups.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from './record-fields.ts';
import { levelName } from './severity.ts';

const LOCAL_TIMES = new WrittenTimes();

/** A line of a log. */
export interface LoggedLine extends PatternRecord {
  readonly isJson: boolean;
  /** The members of JSON, or the fields of text. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Name of the member with the time; `undefined` without one. */
  readonly timeField: string | undefined;
  readonly text: string;
}

/** Reads a line: JSON of any logger, or text. Without a time, `time` is `NaN`. */
export function loggedLine(text: string, times = LOCAL_TIMES): LoggedLine {
  const line = readLogLine(text, times);
  const members = line.members();
  return {
    ...namedFields(line.isJson ? members : { ...members, '@rawstring': text }),
    timeField: line.timeField,
    time: line.time ?? Number.NaN,
    isJson: line.isJson,
    fields: members,
    text,
  };
}

/** Reads the fields of an event. */
export function loggedFields(fields: Readonly<Record<string, unknown>>): LoggedLine {
  const { timeField, time = Number.NaN } = timeIn(fields, LOCAL_TIMES);
  return { ...namedFields(fields), timeField, time, isJson: true, fields, text: '' };
}

/** The level of {@link loggedLine}, at a fraction of its cost. */
export function loggedLevel(text: string): string {
  return namedFields(readLogLine(text, LOCAL_TIMES).members()).level;
}

function namedFields(
  fields: Readonly<Record<string, unknown>>,
): Pick<LoggedLine, 'level' | 'service' | 'field' | 'message'> {
  const read = (names: readonly string[]): readonly [string, unknown] => {
    for (const name of names) {
      const value = memberAt(fields, name);
      // Stored events have the members of an object as fields.
      if (value !== undefined && value !== '' && typeof value !== 'object') return [name, value];
    }
    return ['', ''];
  };
  const [, level] = read(LEVEL_FIELDS);
  const [, service] = read(SERVICE_FIELDS);
  const [field, message] = read(MESSAGE_FIELDS);
  return { level: levelName(String(level)), service: String(service), field, message: String(message) };
}
