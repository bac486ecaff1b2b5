import { isJsonObject } from '../json-object.ts';
import { tryOr } from '../try-or.ts';
import { logfmtPairs } from './formats/logfmt.ts';
import { textLine } from './formats/text-line.ts';
import type { WrittenTimes } from './formats/written-times.ts';
import { TIME_FIELDS } from './record-fields.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a line of a log says. */
export interface LogLine {
  /** The members of a JSON object, also of one that another program passed on, or the fields of a line of text. */
  readonly members: Members;
  /** Whether the whole line is a JSON object. */
  readonly isJson: boolean;
  /** Whether the members are those that the line has as JSON. */
  readonly isWhole: boolean;
  /** The time of a line of text, epoch milliseconds. Members can have a time, too, which comes first. */
  readonly time: number | undefined;
}

/**
 * The one reader of lines: JSON of any logger, logfmt, or text in one of the formats in `formats/`.
 *
 * @param parse parses JSON. Default: `JSON.parse`
 */
export function readLogLine(
  line: string,
  times: WrittenTimes,
  parse: (json: string) => unknown = JSON.parse,
): LogLine {
  const json = /^\s*\{/.test(line) ? tryOr(undefined, () => parse(line)) : undefined;
  if (isJsonObject(json)) {
    const inner = containerLine(json);
    const members = inner === undefined ? json : { ...json, ...readLogLine(inner, times, parse).members };
    return { members, isJson: true, isWhole: inner === undefined, time: undefined };
  }
  const isText = { isJson: false, isWhole: false };
  const pairs = logfmtPairs(line);
  if (pairs !== undefined) return { ...isText, members: Object.fromEntries(pairs), time: undefined };
  const { time, fields, line: inner } = textLine(line, times);
  if (inner === undefined) return { ...isText, members: fields, time };
  const passed = readLogLine(inner, times, parse);
  return { ...isText, members: { ...fields, ...passed.members }, time: passed.time ?? time };
}

/** The line in an object that the `json-file` driver of Docker writes. */
export function containerLine({ log, stream, time }: Members): string | undefined {
  return typeof log === 'string' && typeof stream === 'string' && typeof time === 'string' ? log : undefined;
}

/** The time that a line has, epoch milliseconds. */
export function timeOfLine(line: string, times: WrittenTimes): number | undefined {
  const { members, time } = readLogLine(line, times);
  return timeIn((name) => memberAt(members, name), times)?.[1] ?? time;
}

/** The first member with a time, and that time in epoch milliseconds. */
export function timeIn(
  read: (name: string) => unknown,
  times: WrittenTimes,
): readonly [name: string, time: number] | undefined {
  for (const name of TIME_FIELDS) {
    const value = read(name);
    const time = value === undefined ? undefined : times.of(value);
    if (time !== undefined) return [name, time];
  }
  return undefined;
}

/** The member with a name: flat, or in the objects and arrays that a path names. */
export function memberAt(members: Members, name: string): unknown {
  if (Object.hasOwn(members, name)) return members[name];
  if (!/[.[]/.test(name)) return undefined;
  let value: unknown = members;
  for (const part of name.split(/[.[\]]+/)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Members)[part];
  }
  return value;
}
