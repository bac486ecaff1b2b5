import { utf8Text } from '../bytes.ts';
import { isJsonObject } from '../json-object.ts';
import { tryOr } from '../try-or.ts';
import { type PassedLines, passedLines } from './formats/envelopes.ts';
import { AUDIT, logfmtPairs } from './formats/logfmt.ts';
import { COLORS, textLine } from './formats/text-line.ts';
import type { WrittenTimes } from './formats/written-times.ts';
import { LEVEL_FIELDS, MESSAGE_FIELDS, TIME_FIELDS } from './record-fields.ts';
import { LEVEL_LETTERS, levelName } from './severity.ts';

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

/** The one reader of lines: JSON of any logger, logfmt, or text in one of the formats in `formats/`, also in envelopes. */
export function readLogLine(line: string, times: WrittenTimes, json = PLAIN_JSON): LogLine {
  const passed = passedLines(line, 0, true);
  if (passed !== undefined) return passedLine(passed, times, json);
  const object = /^\s*\{/.test(line) ? tryOr(undefined, () => json.parse(line)) : undefined;
  if (isJsonObject(object)) return jsonLine(object, times, json);
  const pairs = logfmtPairs(line);
  if (pairs !== undefined) {
    const members = Object.fromEntries(pairs);
    const written = { time: AUDIT.exec(line)?.[1], ...members };
    return { ...timeIn(written, times), isJson: false, isWhole: false, members: () => members };
  }
  const plain = line.replaceAll(COLORS, '');
  if (plain !== line) return { ...readLogLine(plain, times, json), isJson: false, isWhole: false };
  const { time, message, fields } = textLine(line, times);
  return withInner({ time, isJson: false, isWhole: false, members: fields }, message, times, json);
}

function passedLine({ fields, text }: PassedLines, times: WrittenTimes, json: JsonReader): LogLine {
  const { time: written, ...others } = fields;
  const added = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  const inner = readLogLine(text, times, json);
  return joined({ ...inner, time: inner.time ?? times.of(written), members: () => added }, inner, text);
}

/** Reads a message that is JSON or logfmt, as of programs whose lines syslog or journald passes on. */
function withInner(outer: LogLine, message: unknown, times: WrittenTimes, json: JsonReader): LogLine {
  if (typeof message !== 'string' || !(message.startsWith('{') || logfmtPairs(message))) return outer;
  const inner = readLogLine(message, times, json);
  return inner.isJson || !message.startsWith('{') ? joined(outer, inner, message) : outer;
}

/** A line with a line inside, whose time and fields are first; without a message, that is the line inside. */
function joined(outer: LogLine, inner: LogLine, text: string): LogLine {
  const { time = outer.time, timeField = outer.timeField } = inner;
  const members = (): Members => {
    const own = inner.members();
    const lacks = (names: readonly string[]): boolean =>
      names.every((name) => memberAt(own, name) === undefined);
    const { level, message: _, ...others } = outer.members();
    const added = { ...(level !== undefined && lacks(LEVEL_FIELDS) && { level }) };
    return { ...others, ...added, ...(lacks(MESSAGE_FIELDS) && { message: text }), ...own };
  };
  return { ...outer, time, timeField, isWhole: false, members };
}

function jsonLine(object: Members, times: WrittenTimes, json: JsonReader): LogLine {
  const implied = impliedFields(object, json);
  const members = implied === undefined ? object : { ...object, ...implied };
  const { time, timeField } = timeIn(members, times, json);
  const line = { time, timeField, isJson: true, isWhole: members === object, members: () => members };
  return withInner(line, json.plain(implied?.message), times, json);
}

/** Whether an object says nothing but what its members are. */
export function isAsWritten(object: Members): boolean {
  return impliedFields(object, PLAIN_JSON) === undefined && !isJsonObject(object.instant);
}

/** MongoDB writes `s` for the level, and `t` for the time; journald writes `PRIORITY` and `MESSAGE`. */
function impliedFields(object: Members, { plain }: JsonReader): Members | undefined {
  const { s, t, level, message, PRIORITY, MESSAGE, __REALTIME_TIMESTAMP: time } = object;
  const isMongo = typeof s === 'string' && level === undefined && isJsonObject(t) && '$date' in t;
  if (isMongo && /^(?:[IWEF]|D[1-5]?)$/.test(s)) return { level: LEVEL_LETTERS[s.charAt(0)]! };
  if (time === undefined || MESSAGE === undefined || level !== undefined || message !== undefined)
    return undefined;
  // The bytes of text with control characters.
  const bytes = Array.isArray(MESSAGE) && Uint8Array.from(MESSAGE, (byte) => Number(plain(byte)));
  const text = bytes ? utf8Text(bytes) : MESSAGE;
  return { ...(PRIORITY !== undefined && { level: levelName(String(plain(PRIORITY))) }), message: text };
}

/** The first member with a time, and that time in epoch milliseconds. */
export function timeIn(
  members: Members,
  times: WrittenTimes,
  { plain } = PLAIN_JSON,
): Pick<LogLine, 'time' | 'timeField'> {
  for (const timeField of TIME_FIELDS) {
    const value = memberAt(members, timeField);
    const written = isJsonObject(value) ? log4jInstant(value, plain) : plain(value);
    const time = value === undefined ? undefined : times.of(written);
    if (time !== undefined) return { time, timeField };
  }
  return { time: undefined };
}

/** The epoch milliseconds of an `instant` of log4j2; `NaN` for another object. */
function log4jInstant({ epochSecond, nanoOfSecond }: Members, plain: JsonReader['plain']): number {
  return Number(plain(epochSecond)) * 1000 + Math.floor(Number(plain(nanoOfSecond)) / 1e6);
}

/** The parts of names that are paths. Only fields with a meaning are read like this, so they are few. */
const paths = new Map<string, readonly string[]>();

/** The member with a name: flat, or in the objects and arrays that a path names. */
export function memberAt(members: Members, name: string): unknown {
  if (Object.hasOwn(members, name)) return members[name];
  const path = paths.get(name) ?? name.split(/[.[\]]+/);
  if (!paths.has(name)) paths.set(name, path);
  if (path.length === 1) return undefined;
  let value: unknown = members;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Members)[part];
  }
  return value;
}
