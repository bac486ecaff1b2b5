import { EnglishNames, MONTH_NAMES, WEEKDAY_NAMES } from './english-names.ts';
import {
  type Element,
  fraction,
  literal,
  type NumberTarget,
  name,
  number,
  optionalPart,
  sequence,
  zoneName,
  zoneOffset,
} from './timestamp-elements.ts';
import { readTokens, TimestampPatternError, type Token } from './timestamp-tokens.ts';
import type { WrittenTime } from './written-time.ts';

interface PatternOptions {
  readonly ignoreCase: boolean;
  /** Accepts patterns of a time without a date. @default false */
  readonly isDateOptional?: boolean;
}

/** Reads what stands at a position, whatever follows. @returns the position after it, -1 when it has another form. */
export type TimestampReader = (text: string, position: number, found: WrittenTime) => number;

/**
 * Compiles a pattern as Java knows them, such as `yyyy-MM-dd'T'HH:mm:ss[.SSS]XXX`, into a function that reads text
 * of this form.
 *
 * @throws TimestampPatternError
 */
export function compileTimestampPattern(pattern: string, options: PatternOptions): TimestampReader {
  const tokens = readTokens(pattern);
  requireFields(tokens, options.isDateOptional);
  return sequence(compileTokens(tokens, options));
}

/** A pattern that could never tell a moment is a mistake in the query, not in the events. */
function requireFields(tokens: readonly Token[], isDateOptional = false): void {
  const letters = new Set(lettersOf(tokens));
  const has = (...some: string[]): boolean => some.some((letter) => letters.has(letter));
  if (!isDateOptional && !(has('d') && has('M', 'L')) && !has('D')) {
    throw new TimestampPatternError(
      'it has no date: use a month (M) and a day (d), or a day of the year (D)',
    );
  }
  if (has('h', 'K') && !has('a')) {
    throw new TimestampPatternError('the 12-hour clock (h) needs am or pm (a); use H for the 24-hour clock');
  }
}

function lettersOf(tokens: readonly Token[]): string[] {
  return tokens.flatMap((token) => {
    if (token.kind === 'optional') return lettersOf(token.tokens);
    return token.kind === 'field' ? [token.letter] : [];
  });
}

function compileTokens(tokens: readonly Token[], options: PatternOptions): Element[] {
  return tokens.map((token, index) => {
    if (token.kind === 'literal') return literal(token.text, options.ignoreCase);
    if (token.kind === 'optional') return optionalPart(sequence(compileTokens(token.tokens, options)));
    return compileField(token, { before: tokens[index - 1], after: tokens.slice(index + 1), options });
  });
}

interface Surroundings {
  readonly before: Token | undefined;
  readonly after: readonly Token[];
  readonly options: PatternOptions;
}

const NUMBERS: Readonly<Record<string, { target: NumberTarget; maxDigits: number }>> = {
  d: { target: 'dayOfMonth', maxDigits: 2 },
  D: { target: 'dayOfYear', maxDigits: 3 },
  H: { target: 'hour', maxDigits: 2 },
  k: { target: 'hourFromOne', maxDigits: 2 },
  h: { target: 'halfDayHour', maxDigits: 2 },
  K: { target: 'halfDayHour', maxDigits: 2 },
  m: { target: 'minute', maxDigits: 2 },
  s: { target: 'second', maxDigits: 2 },
  n: { target: 'nanos', maxDigits: 9 },
};

const MONTHS = new EnglishNames(MONTH_NAMES);
const WEEKDAYS = new EnglishNames(WEEKDAY_NAMES);
const HALF_DAYS = new EnglishNames([['AM'], ['PM']]);

function compileField(token: Token & { kind: 'field' }, around: Surroundings): Element {
  const { letter, count } = token;
  const { ignoreCase } = around.options;
  switch (letter) {
    case 'y':
    case 'u':
      if (count === 2) return number('yearOf2000', { min: 2, max: 2 });
      return number('year', widthOf(token, 9, around));
    case 'M':
    case 'L':
      if (count <= 2) return number('month', widthOf(token, 2, around));
      return name(MONTHS, ignoreCase, (found, index) => {
        found.month = index + 1;
      });
    case 'E':
      return name(WEEKDAYS, ignoreCase, () => {});
    case 'a':
      return name(HALF_DAYS, ignoreCase, (found, index) => {
        found.isAfternoon = index === 1;
      });
    case 'S': {
      const isExact = around.before?.kind === 'field' && isNumeric(around.before);
      return fraction(isExact ? count : 1, count);
    }
    case 'X':
    case 'x':
    case 'Z':
    case 'O':
      return zoneOffset;
    case 'z':
    case 'v':
    case 'V':
      return zoneName;
  }
  const numeric = NUMBERS[letter];
  if (numeric !== undefined) return number(numeric.target, widthOf(token, numeric.maxDigits, around));
  throw new TimestampPatternError(explainLetter(letter));
}

function explainLetter(letter: string): string {
  if (letter === 'Y') return 'Y is the week-based year; use y for the calendar year';
  const hint = letter === 'T' ? "; for a literal T, write 'T' in single quotes" : '';
  return `the letter ${letter} is not part of a format${hint}`;
}

/** A single letter takes as many digits as there are, but leaves enough for the fixed numbers right behind it. */
function widthOf({ count }: { count: number }, maxDigits: number, { after }: Surroundings) {
  if (count > 1) return { min: count, max: count };
  let reserved = 0;
  for (const token of after) {
    if (token.kind !== 'field' || !isNumeric(token) || (token.count === 1 && token.letter !== 'S')) break;
    reserved += token.count;
  }
  return { min: 1, max: maxDigits, reserved };
}

function isNumeric({ letter, count }: Token & { kind: 'field' }): boolean {
  if (letter === 'M' || letter === 'L') return count <= 2;
  return 'yuS'.includes(letter) || NUMBERS[letter] !== undefined;
}
