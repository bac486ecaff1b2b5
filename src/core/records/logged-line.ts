import { tryOr } from '../try-or.ts';
import { epochMsOf, levelLabel } from './logger-line.ts';
import type { PatternRecord } from './pattern-groups.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, SERVICE_FIELDS } from './record-fields.ts';
import { levelName } from './severity.ts';

const TIME_FIELDS = ['time', 'timestamp', '@timestamp', 'ts'];

/** A line of a log. */
export interface LoggedLine extends PatternRecord {
  /** `undefined` for text. */
  readonly members: Readonly<Record<string, unknown>> | undefined;
  /** Name of the member with the time; `undefined` without one. */
  readonly timeField: string | undefined;
  readonly text: string;
}

/** Reads a line: JSON of any logger, or text. Without a time, `time` is `NaN`. */
export function loggedLine(text: string): LoggedLine {
  const members = text.trimStart().startsWith('{')
    ? tryOr<LoggedLine['members']>(undefined, () => JSON.parse(text))
    : undefined;
  return { ...loggedFields(members ?? { '@rawstring': text }), members, text };
}

/** Reads the fields of an event or of a line. */
export function loggedFields(fields: Readonly<Record<string, unknown>>): LoggedLine {
  const read = (names: readonly string[]): readonly [string, unknown] => {
    for (const name of names) {
      const value = valueAt(fields, name);
      // Stored events have the members of an object as fields.
      if (value !== undefined && value !== '' && typeof value !== 'object') return [name, value];
    }
    return ['', ''];
  };
  const [timeField, time] = read(TIME_FIELDS);
  const [, level] = read(LEVEL_FIELDS);
  const [, service] = read(SERVICE_FIELDS);
  const [field, message] = read(MESSAGE_FIELDS);
  return {
    text: '',
    members: fields,
    timeField: timeField === '' ? undefined : timeField,
    time: timeOf(time),
    level: levelLabel(level, time) ?? levelName(String(level)),
    service: String(service),
    field,
    message: String(message),
  };
}

/** Of a nested or a flat field. */
function valueAt(fields: Readonly<Record<string, unknown>>, name: string): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  let value: unknown = fields;
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

function timeOf(time: unknown): number {
  if (typeof time === 'number') return epochMsOf(time);
  if (typeof time !== 'string' || time === '') return Number.NaN;
  return /^\d+(?:\.\d+)?$/.test(time) ? epochMsOf(Number(time)) : Date.parse(time);
}
