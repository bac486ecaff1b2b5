import { escapeRegex } from '../../core/escape-regex.ts';
import { PatternError } from '../pattern-error.ts';
import { MONTH_NAMES, WEEKDAY_NAMES } from '../time/english-names.ts';
import { findWrittenZone, UTC, type WrittenTime } from '../time/written-time.ts';

/** A part of a pattern: letters such as `yyyy`, literal text, or `[…]`. */
export type Token =
  | { readonly kind: 'field'; readonly letter: string; readonly count: number }
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'optional'; readonly tokens: readonly Token[] };

const MAX_DEPTH = 20;
const TOKEN = /'((?:[^']|'')*)'|([A-Za-z])\2*|([[\]])|[^A-Za-z[\]'{}#]+/y;

/** @throws PatternError */
export function readTokens(pattern: string): readonly Token[] {
  let tokens: Token[] = [];
  const outside: Token[][] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < pattern.length) {
    const at = TOKEN.lastIndex;
    const [whole, quoted, letter, bracket] = TOKEN.exec(pattern) ?? [];
    if (whole === undefined) {
      throw new PatternError(`${JSON.stringify(pattern.slice(at, at + 10))} can't be read`);
    }
    if (bracket === '[') {
      if (outside.length === MAX_DEPTH) throw new PatternError('brackets are nested too deeply');
      outside.push(tokens);
      tokens = [];
    } else if (bracket === ']') {
      const before = outside.pop();
      if (before === undefined) throw new PatternError('a ] has no matching [');
      before.push({ kind: 'optional', tokens });
      tokens = before;
    } else if (letter !== undefined) tokens.push({ kind: 'field', letter, count: whole.length });
    else tokens.push({ kind: 'literal', text: quoted?.replace(/^$|''/g, "'") ?? whole });
  }
  if (outside.length > 0) throw new PatternError('a [ has no matching ]');
  return tokens;
}

type FieldToken = Token & { readonly kind: 'field' };

/** Parses the timestamp at a position. @returns the position after it; -1 if the text has another format. */
export type TimestampReader = (text: string, position: number, target: WrittenTime) => number;

/**
 * Compiles a pattern in Java's syntax, such as `yyyy-MM-dd'T'HH:mm:ss[.SSS]XXX`.
 *
 * @throws PatternError
 */
export function compileTimestampPattern(
  pattern: string,
  options: { readonly ignoreCase: boolean; readonly isDateOptional?: boolean },
): TimestampReader {
  const tokens = readTokens(pattern);
  requireFields(tokens, options.isDateOptional);
  const groups: (ReadGroup | undefined)[] = [];
  const regex = new RegExp(printTokens(tokens, groups), options.ignoreCase ? 'iy' : 'y');
  return (text, position, target) => {
    regex.lastIndex = position;
    const match = regex.exec(text);
    if (match === null) return -1;
    for (const [index, read] of groups.entries()) {
      const written = match[index + 1];
      if (read === undefined || written === undefined) continue;
      const part = read(written);
      if (part === undefined) return -1;
      Object.assign(target, part);
    }
    return regex.lastIndex;
  };
}

/** A pattern without enough fields for a time is a mistake in the query, not in the events. */
function requireFields(tokens: readonly Token[], isDateOptional = false): void {
  const letters = new Set(lettersOf(tokens));
  const has = (...alternatives: string[]): boolean => alternatives.some((letter) => letters.has(letter));
  if (!isDateOptional && !(has('d') && has('M', 'L')) && !has('D')) {
    throw new PatternError('it has no date: use a month (M) and a day (d), or a day of the year (D)');
  }
  if (has('h', 'K') && !has('a')) {
    throw new PatternError('the 12-hour clock (h) needs am or pm (a); use H for the 24-hour clock');
  }
}

function lettersOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.kind === 'optional') return lettersOf(token.tokens);
    return token.kind === 'field' ? [token.letter] : [];
  });
}

/** The value of a field's text; `undefined` if it is invalid. */
type ReadGroup = (text: string) => WrittenTime | undefined;

interface Field {
  readonly source: string;
  readonly read: ReadGroup;
}

/** Each part matches in a look-ahead, which never backtracks, so no pattern needs exponential time. */
function printTokens(tokens: readonly Token[], groups: (ReadGroup | undefined)[]): string {
  const print = (token: Token, index: number): string => {
    if (token.kind === 'literal') return escapeRegex(token.text);
    const group = groups.push(undefined);
    if (token.kind === 'optional') return once(`(?:${printTokens(token.tokens, groups)})?`, group);
    const { source, read } = fieldOf(token, tokens[index - 1], tokens.slice(index + 1));
    groups[group - 1] = read;
    return once(source, group);
  };
  return tokens.map(print).join('');
}

function once(source: string, group: number): string {
  return `(?:(?=(${source}))\\${group})`;
}

const NUMBERS: Readonly<Record<string, { maxDigits: number; read: (number: number) => WrittenTime }>> = {
  y: { maxDigits: 9, read: (year) => ({ year }) },
  u: { maxDigits: 9, read: (year) => ({ year }) },
  M: { maxDigits: 2, read: (month) => ({ month }) },
  L: { maxDigits: 2, read: (month) => ({ month }) },
  d: { maxDigits: 2, read: (dayOfMonth) => ({ dayOfMonth }) },
  D: { maxDigits: 3, read: (dayOfYear) => ({ dayOfYear }) },
  H: { maxDigits: 2, read: (hour) => ({ hour }) },
  k: { maxDigits: 2, read: (hour) => ({ hour: hour % 24 }) },
  h: { maxDigits: 2, read: (hour) => ({ halfDayHour: hour > 12 ? hour : hour % 12 }) },
  K: { maxDigits: 2, read: (hour) => ({ halfDayHour: hour > 12 ? hour : hour % 12 }) },
  m: { maxDigits: 2, read: (minute) => ({ minute }) },
  s: { maxDigits: 2, read: (second) => ({ second }) },
  n: { maxDigits: 9, read: (nanos) => ({ nanos }) },
};

const UTC_NAME = '(?:[Gg][Mm][Tt]|[Uu][Tt][Cc])';
/** `Z`, `+02:00`, `+0200`, `+02` or `GMT+2`. */
const OFFSET = `${UTC_NAME}[+-]\\d{1,2}(?::?\\d{2})?|[+-](?:0\\d|1[0-8])(?::?[0-5]\\d)?(?!\\d)|(?:${UTC_NAME}|[Zz])(?!\\w)`;
const readOffset: ReadGroup = (text) => {
  const offset = text.replace(/^(?:GMT|UTC|Z)/i, '');
  const zone = offset === '' ? UTC : findWrittenZone(offset);
  return zone && { zone };
};

const OFFSET_FIELD: Field = { source: OFFSET, read: readOffset };
/** `Europe/Copenhagen`, `CET`, or an offset. */
const ZONE_FIELD: Field = {
  source: `[A-Za-z][\\w/+:-]*[A-Za-z0-9]|${OFFSET}`,
  read(text) {
    const zone = findWrittenZone(text);
    return zone === undefined ? readOffset(text) : { zone };
  },
};
const MONTH_NAME: Field = {
  source: MONTH_NAMES.flat().join('|'),
  read: (text) => ({
    month: MONTH_NAMES.findIndex(([name]) => name.toLowerCase().startsWith(text.toLowerCase())) + 1,
  }),
};
/** Fields that are not numbers, by letter. */
const FIELDS: Readonly<Record<string, Field>> = {
  E: { source: WEEKDAY_NAMES.flat().join('|'), read: () => ({}) },
  a: { source: 'AM|PM', read: (text) => ({ isAfternoon: /p/i.test(text) }) },
  ...Object.fromEntries([...'XxZO'].map((letter) => [letter, OFFSET_FIELD])),
  ...Object.fromEntries([...'zvV'].map((letter) => [letter, ZONE_FIELD])),
};

function fieldOf(token: FieldToken, before: Token | undefined, after: readonly Token[]): Field {
  const { letter, count } = token;
  if ((letter === 'M' || letter === 'L') && count > 2) return MONTH_NAME;
  if (letter === 'S') {
    const isExact = before?.kind === 'field' && isNumeric(before);
    const read: ReadGroup = (text) => ({ nanos: Number(text.slice(0, 9).padEnd(9, '0')) });
    return { source: `\\d{${isExact ? count : 1},${count}}`, read };
  }
  const numeric = NUMBERS[letter];
  if (numeric === undefined) {
    const field = FIELDS[letter];
    if (field !== undefined) return field;
    throw new PatternError(explainLetter(letter));
  }
  if ((letter === 'y' || letter === 'u') && count === 2) {
    return { source: '\\d{2}', read: (text) => ({ year: 2000 + Number(text) }) };
  }
  const source = count > 1 ? `\\d{${count}}` : `\\d{1,${numeric.maxDigits}}(?=\\d{${digitsOf(after)}})`;
  return { source, read: (text) => numeric.read(Number(text)) };
}

function explainLetter(letter: string): string {
  if (letter === 'Y') return 'Y is the week-based year; use y for the calendar year';
  const hint = letter === 'T' ? "; for a literal T, write 'T' in single quotes" : '';
  return `the letter ${letter} is not part of a format${hint}`;
}

/** A single letter matches any number of digits, except those that fixed-width numbers directly after it need. */
function digitsOf(after: readonly Token[]): number {
  let digits = 0;
  for (const token of after) {
    if (token.kind !== 'field' || !isNumeric(token) || (token.count === 1 && token.letter !== 'S')) break;
    digits += token.count;
  }
  return digits;
}

function isNumeric({ letter, count }: FieldToken): boolean {
  if (letter === 'M' || letter === 'L') return count <= 2;
  return letter === 'S' || NUMBERS[letter] !== undefined;
}
