import { escapeRegex } from '../core/escape-regex.ts';
import {
  EXPRESSION_WORD,
  FILTER_WORD,
  IDENTIFIER,
  PARAMETER_NAME,
  SAVED_QUERY_NAME,
} from './character-classes.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { ARITHMETIC_PUNCTUATORS, PUNCTUATORS, type Punctuator, type Token } from './token.ts';

/**
 * What the parser expects. The same characters are different tokens in different modes: `/` starts a regex before an
 * operand and divides after one, `*` is a pattern or multiplies, `-` may be part of a word.
 *
 * - `filter`: in a filter and between steps
 * - `operand`: where an expression needs an operand
 * - `operator`: after an operand of an expression
 * - `parameterName`, `savedQueryName`: directly after `?` and `$`, where whitespace is not skipped
 */
export type LexerMode = 'filter' | 'operand' | 'operator' | 'parameterName' | 'savedQueryName';

const WORDS: Readonly<Record<LexerMode, RegExp>> = {
  filter: FILTER_WORD,
  operand: EXPRESSION_WORD,
  operator: IDENTIFIER,
  parameterName: PARAMETER_NAME,
  savedQueryName: SAVED_QUERY_NAME,
};

// Includes special spaces in queries copied from web pages and files; words contain none of them.
const WHITE_SPACE = /[\s\u0085]+/y;
const LINE_COMMENT = /\/\/[^\n\r]*/y;
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/sy;
const REGEX = /\/((?:[^/\\\n\r]|\\[^\n\r])+)\/([A-Za-z]*)/y;
const FILTER_PUNCTUATOR = punctuatorPattern(PUNCTUATORS);
const EXPRESSION_PUNCTUATOR = punctuatorPattern([...PUNCTUATORS, ...ARITHMETIC_PUNCTUATORS]);

const KNOWN_REGEX_FLAGS = /^[imdgF]*$/;
const STRING_ESCAPES: Readonly<Record<string, string>> = {
  '\\"': '"',
  '\\\\': '\\',
  '\\n': '\n',
  '\\r': '\r',
  '\\t': '\t',
};

function punctuatorPattern(punctuators: readonly string[]): RegExp {
  return new RegExp(punctuators.map(escapeRegex).join('|'), 'y');
}

/** Reads single tokens of a query. It has no position: the parser passes the offset and the mode. */
export class Lexer {
  readonly source: string;
  // Caches tokens, so that the parser's look-ahead stays linear.
  readonly #known = new Map<LexerMode, Map<number, Token>>();

  constructor(source: string) {
    this.source = source;
  }

  /**
   * The token at `offset`, after whitespace and comments.
   *
   * @throws QuerySyntaxError for an unclosed string, regex or comment, and for an invalid regex flag.
   */
  read(mode: LexerMode, offset: number): Token {
    let tokens = this.#known.get(mode);
    if (tokens === undefined) {
      tokens = new Map();
      this.#known.set(mode, tokens);
    }
    let token = tokens.get(offset);
    if (token === undefined) {
      token = this.#scan(mode, offset);
      tokens.set(offset, token);
    }
    return token;
  }

  #scan(mode: LexerMode, offset: number): Token {
    const start = mode === 'parameterName' || mode === 'savedQueryName' ? offset : this.#skipIgnored(offset);
    const character = this.source[start];
    if (character === undefined) return this.#token('end', start, start);
    if (character === '"') return this.#scanString(start);
    if (character === '/' && mode !== 'operator') return this.#scanRegex(start);
    // After an operand, "*" and "%" are operators; before one, they start a word.
    const token =
      mode === 'operator'
        ? (this.#scanPunctuator(mode, start) ?? this.#scanWord(mode, start))
        : (this.#scanWord(mode, start) ?? this.#scanPunctuator(mode, start));
    if (token !== undefined) return token;
    return this.#token(
      'character',
      start,
      start + String.fromCodePoint(this.source.codePointAt(start)!).length,
    );
  }

  #skipIgnored(offset: number): number {
    let place = offset;
    for (;;) {
      const after =
        this.#match(WHITE_SPACE, place) ?? this.#match(LINE_COMMENT, place) ?? this.#blockComment(place);
      if (after === undefined) return place;
      place = after;
    }
  }

  #blockComment(start: number): number | undefined {
    if (!this.source.startsWith('/*', start)) return undefined;
    const end = this.source.indexOf('*/', start + 2);
    if (end === -1) this.#fail('The comment has no closing "*/"', start, start + 2);
    return end + 2;
  }

  #scanString(start: number): Token {
    const end = this.#match(STRING, start);
    if (end === undefined) this.#fail('The string has no closing quote', start, start + 1);
    const content = this.source.slice(start + 1, end - 1);
    // An unknown escape keeps its backslash: regexes in strings are written with single backslashes.
    const value = content.replace(/\\./gs, (pair) => STRING_ESCAPES[pair] ?? pair);
    return { kind: 'string', start, end, text: this.source.slice(start, end), value };
  }

  #scanRegex(start: number): Token {
    REGEX.lastIndex = start;
    const match = REGEX.exec(this.source);
    const unclosed = 'The regex has no closing "/" on its line; put a path in quotes, such as "/slow"';
    if (match === null) this.#fail(unclosed, start, start + 1);
    const [text, body = '', flags = ''] = match;
    const end = start + text.length;
    if (!KNOWN_REGEX_FLAGS.test(flags)) {
      const problem = `Unknown regex flags "${flags}": use d, F, g, i or m, write a slash in a regex as "\\/", and put a path in quotes`;
      this.#fail(problem, end - flags.length, end);
    }
    const value = body.replace(/\\./g, (pair) => (pair === '\\/' ? '/' : pair));
    return { kind: 'regex', start, end, text, value, flags };
  }

  #scanWord(mode: LexerMode, start: number): Token | undefined {
    let end = this.#match(WORDS[mode], start);
    if (end === undefined) return undefined;
    // A pattern can't end in "//": what follows "https:" here is a comment.
    while (end - 2 > start && this.source.startsWith('//', end - 2)) end -= 2;
    return this.#token('word', start, end);
  }

  #scanPunctuator(mode: LexerMode, start: number): Token | undefined {
    const end = this.#match(mode === 'filter' ? FILTER_PUNCTUATOR : EXPRESSION_PUNCTUATOR, start);
    if (end === undefined) return undefined;
    return this.#token(this.source.slice(start, end) as Punctuator, start, end);
  }

  #token(kind: Token['kind'], start: number, end: number): Token {
    const text = this.source.slice(start, end);
    return { kind, start, end, text, value: text };
  }

  /** The end of a match that starts at `offset`. */
  #match(pattern: RegExp, offset: number): number | undefined {
    pattern.lastIndex = offset;
    return pattern.test(this.source) ? pattern.lastIndex : undefined;
  }

  #fail(problem: string, start: number, end: number): never {
    throw new QuerySyntaxError(problem, this.source, { start, end });
  }
}
