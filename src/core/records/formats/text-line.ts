import { CLOSE_BRACKET, isDigit, NINE, SPACE } from '../../ascii.ts';
import { LEVEL_LETTERS, LEVEL_WORDS, levelName } from '../severity.ts';
import { ACCESS_SEAM, CRASH, STRUCTURED_REST, STRUCTURED_START, TEXT_FORMATS } from './text-formats.ts';
import { WrittenTimes } from './written-times.ts';

type Fields = Readonly<Record<string, string>>;

type Columns = Readonly<Record<string, string | undefined>>;

/** A color, or another style of a terminal. */
export const COLOR = String.raw`\u001b\[[\d;:]*[mK]`;
export const COLORS = new RegExp(COLOR, 'g');
/** What precedes the time of a line: colors, a bracket, the level, or the letter and the process of Ruby and Redis, `# Time:` of MySQL. */
const LEAD = String.raw`(?:${COLOR})*(?:[A-Z], \[|\d+:[A-Z] |# Time: |(?:${LEVEL_WORDS.join('|')})(?:${COLOR})*\s+\[?|\[)?(?:${COLOR})*`;
const lead = new RegExp(LEAD, 'iy');
const spaceAndLead = new RegExp(String.raw`\s*${LEAD}`, 'iy');
const UTC = new WrittenTimes({ timeZone: 'UTC' });
/** As long a time may be that of an envelope. */
const STAMP_LENGTH = '2026-11-28T04:14:55.759123456Z'.length;
const HEAD_LENGTH = 120;
/** The level is one of the words up to this one: a word of the message is none. */
const HEAD = /(?:[^\S\n]*\S+){0,5}/y;
const ANY_CASE = LEVEL_WORDS.join('|').replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
/** A level in capitals between delimiters, or in any letters in brackets or at the start. */
const LEVEL = new RegExp(
  `(?:^|[\\s[(<|]|\\.(?=[A-Z]+:))(${LEVEL_WORDS.join('|').toUpperCase()}|LOG(?=:))(?=$|[\\s[\\])>|:,/])` +
    `|(?:\\[(?:[\\w-]+:)?|^\\s*)(${ANY_CASE})(?=\\s?\\]|:)`,
);
/** Words up to a level, and two characters that decide that it is one: most lines of a log start like one of the last ones. */
const KNOWN_LEVELS: { readonly head: string; readonly level: string }[] = [];
const MAX_KNOWN = 16;

const crashStart = new RegExp(String.raw`[\])>|:\s-]{0,9}(?:${CRASH})`, 'y');

/** The time, in epoch milliseconds, and the fields of a line of text that is neither JSON nor logfmt. */
export function textLine(text: string, times = UTC) {
  const isTimed = times.at(text, 0) !== undefined && !text.includes(ACCESS_SEAM);
  for (const columns of isPlain(text, 0, isTimed ? times.end : 0) ? [] : TEXT_FORMATS) {
    const groups = columns.exec(text)?.groups;
    if (groups === undefined) continue;
    const { time: written, message } = groups;
    const time = written === undefined ? undefined : times.of(written);
    // Otherwise, another line happens to look alike.
    if (time !== undefined || written === undefined)
      return { time, message, fields: () => columnsOf(groups) };
  }
  const { time, level } = plainLine(text, 0, text.length, times, times.at(text, 0));
  return { time, fields: (): Fields => (level === undefined ? {} : { level }) };
}

/**
 * Whether the line at a position, without colors, surely has neither columns nor other fields.
 *
 * @param rest where the time at its start ends, which makes it cheaper; not for lines that may be those of an access log
 */
export function isPlain(text: string, at: number, rest = at): boolean {
  const code = text.charCodeAt(rest);
  STRUCTURED_START.lastIndex = at;
  STRUCTURED_REST.lastIndex = rest;
  const isTimed =
    rest > at &&
    rest - at < STAMP_LENGTH &&
    text.charCodeAt(at) <= NINE &&
    (code === SPACE || code === CLOSE_BRACKET);
  return (isTimed && !STRUCTURED_REST.test(text)) || !STRUCTURED_START.test(text);
}

/** The time and the level of such a line in a longer text. @param first the time at its start, which was just read */
export function plainLine(text: string, at: number, end: number, times: WrittenTimes, first?: number) {
  const start = first === undefined ? endOf(spaceAndLead, text, at) : at;
  const time = first ?? (start > at ? times.at(text, start) : undefined);
  const rest = time === undefined ? at : times.end;
  return { time, level: (start > at && levelIn(text, at, start)) || levelIn(text, rest, end) };
}

/** Whether the text from a position on starts with a time. */
export function startsWithTime(text: string, at: number): boolean {
  return UTC.at(text, endOf(lead, text, at)) !== undefined;
}

function endOf(regex: RegExp, text: string, at: number): number {
  regex.lastIndex = at;
  regex.test(text);
  return regex.lastIndex;
}

function columnsOf({ time: _, priority, level: written, ...columns }: Columns): Fields {
  const fields: Record<string, string> = {};
  const known = written ?? (priority && String(Number(priority) % 8));
  const level = known ? (LEVEL_LETTERS[known] ?? levelName(known)) : levelIn(columns.message ?? '', 0);
  if (level !== undefined) fields.level = level;
  for (const name in columns) if (columns[name] !== undefined) fields[name] = columns[name];
  return fields;
}

function levelIn(text: string, at: number, end = text.length): string | undefined {
  const known = KNOWN_LEVELS.find(({ head }) => at + head.length <= end && isAlike(text, at, head));
  if (known !== undefined) return known.level;
  const part = text.slice(at, Math.min(end, at + HEAD_LENGTH));
  const first = part.slice(0, endOf(HEAD, part, 0));
  const match = LEVEL.exec(first);
  const word = match?.[1] ?? match?.[2];
  // A crash of Go starts as a level does.
  if ((word === undefined || word === 'panic') && endOf(crashStart, text, at) > at) return 'error';
  if (match === null || word === undefined) return undefined;
  const level = word === 'LOG' ? 'info' : levelName(word);
  const head = first.slice(0, match.index + match[0].length + 2);
  if (head.length < first.length && word !== 'panic') KNOWN_LEVELS.unshift({ head, level });
  if (KNOWN_LEVELS.length > MAX_KNOWN) KNOWN_LEVELS.pop();
  return level;
}

/** Whether `text` continues like a head, apart from its digits, which no level depends on. Heads differ at their end. */
function isAlike(text: string, at: number, head: string): boolean {
  for (let index = head.length - 1; index >= 0; index--) {
    const [code, other] = [text.charCodeAt(at + index), head.charCodeAt(index)];
    if (code !== other && !(isDigit(code) && isDigit(other))) return false;
  }
  return true;
}
