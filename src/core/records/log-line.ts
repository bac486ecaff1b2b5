import { isJsonObject } from '../json-object.ts';
import { tryOr } from '../try-or.ts';
import { logfmtPairs } from './formats/logfmt.ts';
import { DOCKER_SEAM } from './formats/text-formats.ts';
import { COLORS, textLine } from './formats/text-line.ts';
import type { WrittenTimes } from './formats/written-times.ts';
import { TIME_FIELDS } from './record-fields.ts';
import { LEVEL_LETTERS } from './severity.ts';

type Members = Readonly<Record<string, unknown>>;

/** What a line of a log says. */
export interface LogLine {
  /** Epoch milliseconds. */
  readonly time: number | undefined;
  /** Name of the member with the time. */
  readonly timeField?: string | undefined;
  /** Whether the whole line is a JSON object. */
  readonly isJson: boolean;
  /** Whether the members are those that the line has as JSON. */
  readonly isWhole: boolean;
  /** The members of a JSON object, also of one that another program passed on, or the fields of a line of text. */
  members(): Members;
}

/** How to parse JSON. */
export interface JsonReader {
  parse(json: string): unknown;
  /** The value of a member as a number or as a string. */
  plain(value: unknown): unknown;
}

const PLAIN_JSON: JsonReader = { parse: JSON.parse, plain: (value) => value };

/** The one reader of lines: JSON of any logger, logfmt, or text in one of the formats in `formats/`. */
export function readLogLine(line: string, times: WrittenTimes, json = PLAIN_JSON): LogLine {
  const isObject = /^\s*\{/.test(line);
  const object = isObject ? tryOr(undefined, () => json.parse(line.replaceAll(DOCKER_SEAM, ''))) : undefined;
  if (isJsonObject(object)) return jsonLine(object, times, json);
  const pairs = logfmtPairs(line);
  if (pairs !== undefined) {
    const members = Object.fromEntries(pairs);
    return { ...timeIn(members, times), isJson: false, isWhole: false, members: () => members };
  }
  const plain = line.replaceAll(COLORS, '');
  if (plain !== line) return { ...readLogLine(plain, times, json), isJson: false, isWhole: false };
  const { time, line: inner, fields } = textLine(line, times);
  if (inner === undefined) return { time, isJson: false, isWhole: false, members: fields };
  const passed = readLogLine(inner, times, json);
  const members = (): Members => ({ ...fields(), ...passed.members() });
  return { time: passed.time ?? time, isJson: false, isWhole: false, members };
}

function jsonLine(object: Members, times: WrittenTimes, json: JsonReader): LogLine {
  const log = containerLine(object);
  const inner = log === undefined ? undefined : readLogLine(log, times, json).members();
  const members = isAsWritten(object) ? object : { ...object, ...mongoLevel(object), ...inner };
  const { time, timeField } = timeIn(members, times, json);
  return { time, timeField, isJson: true, isWhole: members === object, members: () => members };
}

/** Whether an object says nothing but what its members are. */
export function isAsWritten(object: Members): boolean {
  return containerLine(object) === undefined && mongoLevel(object) === undefined;
}

/** MongoDB writes `s` for the level, and `t` for the time. */
function mongoLevel({ s, t, level }: Members): { readonly level: string } | undefined {
  const isOne = typeof s === 'string' && level === undefined && isJsonObject(t) && '$date' in t;
  return isOne && /^(?:[IWEF]|D[1-5]?)$/.test(s) ? { level: LEVEL_LETTERS[s.charAt(0)]! } : undefined;
}

/** The line in an object that the `json-file` driver of Docker writes, always as the first member. */
function containerLine(object: Members): string | undefined {
  const { log, stream, time } = object;
  if (typeof log !== 'string' || typeof stream !== 'string' || typeof time !== 'string') return undefined;
  return Object.keys(object)[0] === 'log' ? log : undefined;
}

/** The first member with a time, and that time in epoch milliseconds. */
export function timeIn(
  members: Members,
  times: WrittenTimes,
  { plain } = PLAIN_JSON,
): Pick<LogLine, 'time' | 'timeField'> {
  for (const timeField of TIME_FIELDS) {
    const value = memberAt(members, timeField);
    const time = value === undefined ? undefined : times.of(plain(value));
    if (time !== undefined) return { time, timeField };
  }
  return { time: undefined };
}

/** The parts of names that are paths. Only fields with a meaning are read like this, so they are few. */
const paths = new Map<string, readonly string[]>();

/** The member with a name: flat, or in the objects and arrays that a path names. */
export function memberAt(members: Members, name: string): unknown {
  if (Object.hasOwn(members, name)) return members[name];
  const path = paths.get(name) ?? name.split(/[.[\]]+/);
  paths.set(name, path);
  if (path.length === 1) return undefined;
  let value: unknown = members;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Members)[part];
  }
  return value;
}
