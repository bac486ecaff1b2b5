import { LEVEL_WORDS, levelName } from '../severity.ts';
import { TEXT_FORMATS } from './text-formats.ts';
import type { WrittenTimes } from './written-times.ts';

/** What a line of text says. */
export interface TextLine {
  /** Epoch milliseconds. */
  readonly time: number | undefined;
  readonly fields: Readonly<Record<string, string>>;
  /** The line of a program that another one passed on. */
  readonly line?: string | undefined;
}

/** What precedes the time of a line: a bracket, the level, or the letter and the process of Ruby and Redis. */
const LEAD = new RegExp(String.raw`(?:[A-Z], \[|\d+:[A-Z] |(?:${LEVEL_WORDS.join('|')})\s+\[?|\[)?`, 'iy');
const HEAD_LENGTH = 120;
/** The level is one of the words up to this one: a word of the message is none. */
const HEAD = /(?:\s*\S+){0,5}/y;
/** A level in capitals between delimiters, or in any letters in brackets or at the start. */
const LEVEL = new RegExp(
  `(?:^|[\\s[(<|]|\\.(?=[A-Z]+:))(${LEVEL_WORDS.join('|').toUpperCase()}|LOG(?=:))(?=$|[\\s\\])>|:,/])` +
    `|(?:\\[(?:[\\w-]+:)?|^\\s*)(${LEVEL_WORDS.map(anyCase).join('|')})(?=\\s?\\]|:)`,
);
const LETTERS: Readonly<Record<string, string>> = { I: 'info', W: 'warn', E: 'error', F: 'fatal' };

function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Reads a line of text that is neither JSON nor logfmt. */
export function textLine(text: string, times: WrittenTimes): TextLine {
  for (const { columns } of TEXT_FORMATS) {
    const groups = columns?.exec(text)?.groups;
    if (groups === undefined) continue;
    const { time: written, priority, letter, line, ...rest } = groups;
    const time = written === undefined ? undefined : times.of(written);
    // Another line happens to look alike.
    if (written !== undefined && time === undefined && line === undefined) continue;
    const fields: Record<string, string> = {};
    const level = levelOf(priority, letter) ?? levelIn(rest.message ?? '');
    if (level !== undefined) fields.level = level;
    for (const name in rest) if (rest[name] !== undefined) fields[name] = rest[name];
    return { time, fields, line };
  }
  return timedLine(text, times);
}

/** A line with a time at its start and a level in its first words, both optional. */
function timedLine(text: string, times: WrittenTimes): TextLine {
  LEAD.lastIndex = text.search(/\S|$/);
  LEAD.test(text);
  const start = LEAD.lastIndex;
  const time = times.at(text, start);
  const before = text.slice(0, start);
  const level = levelIn(before) ?? levelIn(time === undefined ? text : text.slice(times.end));
  return { time, fields: level === undefined ? {} : { level } };
}

function levelOf(priority: string | undefined, letter: string | undefined): string | undefined {
  if (letter !== undefined) return LETTERS[letter];
  return priority === undefined ? undefined : levelName(String(Number(priority) % 8));
}

function levelIn(text: string): string | undefined {
  HEAD.lastIndex = 0;
  const [, capitals, delimited] = LEVEL.exec(HEAD.exec(text.slice(0, HEAD_LENGTH))?.[0] ?? '') ?? [];
  const word = capitals ?? delimited;
  return word === undefined ? undefined : word === 'LOG' ? 'info' : levelName(word);
}
