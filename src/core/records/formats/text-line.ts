import { LEVEL_LETTERS, LEVEL_WORDS, levelName } from '../severity.ts';
import { TEXT_FORMATS } from './text-formats.ts';
import { WrittenTimes } from './written-times.ts';

type Fields = Readonly<Record<string, string>>;

type Columns = Readonly<Record<string, string | undefined>>;

/** What a line of text says. */
export interface TextLine {
  /** Epoch milliseconds. */
  readonly time: number | undefined;
  fields(): Fields;
  /** The line of a program that another one passed on. */
  readonly line?: string | undefined;
}

/** A color, or another style of a terminal. */
export const COLOR = String.raw`\u001b\[[\d;:]*[mK]`;
export const COLORS = new RegExp(COLOR, 'g');
/** What precedes the time of a line: colors, a bracket, the level, or the letter and the process of Ruby and Redis. */
const LEAD = new RegExp(
  String.raw`(?:${COLOR})*(?:[A-Z], \[|\d+:[A-Z] |(?:${LEVEL_WORDS.join('|')})(?:${COLOR})*\s+\[?|\[)?(?:${COLOR})*`,
  'iy',
);
const FORMATS = TEXT_FORMATS.flatMap(({ columns, seam }) => (columns === undefined ? [] : { columns, seam }));
const UTC = new WrittenTimes({ timeZone: 'UTC' });
const HEAD_LENGTH = 120;
/** The level is one of the words up to this one: a word of the message is none. */
const HEAD = /(?:[^\S\n]*\S+){0,5}/y;
/** A level in capitals between delimiters, or in any letters in brackets or at the start. */
const LEVEL = new RegExp(
  `(?:^|[\\s[(<|]|\\.(?=[A-Z]+:))(${LEVEL_WORDS.join('|').toUpperCase()}|LOG(?=:))(?=$|[\\s[\\])>|:,/])` +
    `|(?:\\[(?:[\\w-]+:)?|^\\s*)(${LEVEL_WORDS.map(anyCase).join('|')})(?=\\s?\\]|:)`,
);

function anyCase(word: string): string {
  return word.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Reads a line of text that is neither JSON nor logfmt. */
export function textLine(text: string, times = UTC): TextLine {
  for (const { columns, seam } of FORMATS) {
    const groups = columns.exec(text)?.groups;
    if (groups === undefined) continue;
    const { time: written } = groups;
    const line = seam === undefined ? groups.line : groups.line?.replaceAll(seam, '');
    const time = written === undefined ? undefined : times.of(written);
    // Otherwise, another line happens to look alike.
    if (time !== undefined || written === undefined) return { time, line, fields: () => columnsOf(groups) };
  }
  const start = afterLead(text, text.search(/\S|$/));
  const time = times.at(text, start);
  const { end } = times;
  const fields = (): Fields => {
    const level = levelIn(text.slice(0, start)) ?? levelIn(time === undefined ? text : text.slice(end));
    return level === undefined ? {} : { level };
  };
  return { time, fields };
}

/** Whether the text from a position on starts with a time. */
export function startsWithTime(text: string, at: number): boolean {
  return UTC.at(text, afterLead(text, at)) !== undefined;
}

function afterLead(text: string, at: number): number {
  LEAD.lastIndex = at;
  LEAD.test(text);
  return LEAD.lastIndex;
}

function columnsOf({ time: _, line: __, priority, level: written, ...columns }: Columns): Fields {
  const fields: Record<string, string> = {};
  const known = written ?? (priority && String(Number(priority) % 8));
  const level = known ? (LEVEL_LETTERS[known] ?? levelName(known)) : levelIn(columns.message ?? '');
  if (level !== undefined) fields.level = level;
  for (const name in columns) if (columns[name] !== undefined) fields[name] = columns[name];
  return fields;
}

function levelIn(text: string): string | undefined {
  HEAD.lastIndex = 0;
  const [, capitals, delimited] = LEVEL.exec(HEAD.exec(text.slice(0, HEAD_LENGTH))?.[0] ?? '') ?? [];
  const word = capitals ?? delimited;
  return word === undefined ? undefined : word === 'LOG' ? 'info' : levelName(word);
}
