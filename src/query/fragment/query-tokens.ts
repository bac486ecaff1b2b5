import { LogOptionsException } from '../../errors.ts';
import { Brackets } from './brackets.ts';
import type { FragmentPart } from './fragment-part.ts';

/** A piece of a query's text. `parameter` is `?name`, `saved` is `$name`; a `mark` is a punctuation mark. */
export interface QueryToken {
  readonly kind: 'word' | 'string' | 'regex' | 'parameter' | 'saved' | 'mark' | 'value';
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Whether it stands in an expression, and not in a filter. */
  readonly isExpression: boolean;
}

/** Where a nested fragment is. */
export interface FragmentRange {
  readonly start: number;
  readonly end: number;
  /** Its edges among the parts. */
  readonly parts: readonly [begin: number, end: number];
  readonly isRaw: boolean;
}

export interface ValueToken extends QueryToken {
  /** Its place among the tokens. */
  readonly at: number;
  readonly brackets: ReturnType<Brackets['look']>;
}

/** Stands for a value in the text; the offsets tell it from the same character in the text itself. */
const HOLE = '\0';

const WHITE_SPACE = /[\s\u0085]+/y;
const COMMENT = /\/\/[^\n\r]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$)/y;
// Without an end, a string reaches to the end of the query: whatever follows is inside it.
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)/sy;
const REGEX = /\/(?:[^/\\\n\r]|\\[^\n\r])+(?:\/[A-Za-z]*)?/y;
const NO_WORD = '\\s\\u0085!"$\'(),;<=>?[\\]`{|}\\0/:';
const SUBSCRIPT = '\\[\\d*\\]|(?<=\\.)`[^`\\r\\n\\0]+`';
const FILTER_WORD = new RegExp(
  `(?:[^${NO_WORD}]|:(?!=))(?:[^${NO_WORD}]+|:(?!=)|\\/(?!\\/)|(?<=:)\\/\\/|${SUBSCRIPT})*`,
  'y',
);
const EXPRESSION_WORD = new RegExp(
  `\\*[^${NO_WORD}]*|[^${NO_WORD}*+~\\-](?:[^${NO_WORD}*+~\\-]+|:(?=[^${NO_WORD}*+~\\-])|${SUBSCRIPT})*`,
  'y',
);
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"';
const PARAMETER = new RegExp(`\\?(?!\\{)(?:${QUOTED}|(?:[^${NO_WORD}*+~]|:(?!=))*)`, 'sy');
const SAVED_QUERY = new RegExp(`\\$(?:${QUOTED}|(?:[^${NO_WORD}*+~]|:(?!=)|\\/)*)`, 'sy');
const MARK = /\?\{|<=>|:=|=>|=~|==|!=|<=|>=|./suy;

/**
 * Cuts the text of a query into tokens, as far as it takes to know what each value is. What is wrong with the query
 * otherwise is for the service to say.
 */
export class QueryTokens {
  readonly #source: string;
  readonly #values = new Set<number>();
  readonly #edges: number[] = [];
  readonly #brackets = new Brackets();
  readonly tokens: QueryToken[] = [];
  readonly values: ValueToken[] = [];
  /** Inner ones before those around them. */
  readonly fragments: FragmentRange[] = [];
  #position = 0;

  /** @throws LogOptionsException for a value or a fragment inside a string, a regex or a comment. */
  constructor(parts: readonly FragmentPart[]) {
    let source = '';
    const begun: { start: number; index: number }[] = [];
    for (const [index, part] of parts.entries()) {
      if (part.kind === 'edge') {
        this.#edges.push(source.length);
        if (part.side === 'begin') begun.push({ start: source.length, index });
        else this.#addFragment(begun.pop(), { end: source.length, index, isRaw: part.isRaw });
      } else if (part.kind === 'text') source += part.text;
      else {
        this.#values.add(source.length);
        source += HOLE;
      }
    }
    this.#source = source;
    while (this.#position < source.length) this.#next();
  }

  /** The place among the tokens of the first one that begins at an offset or behind it. */
  indexAt(offset: number): number {
    let [low, high] = [0, this.tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.tokens[middle]!.start < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The end of the text before an offset, for messages. */
  before(offset: number): string {
    const start = Math.max(0, offset - 40);
    const shown = this.#source
      .slice(start, offset)
      .split('')
      .map((character, i) => (character === HOLE && this.#values.has(start + i) ? '…' : character));
    return `${start > 0 ? '…' : ''}${shown.join('').replace(/\s+/g, ' ').trimStart()}`;
  }

  #addFragment(
    begin: { start: number; index: number } | undefined,
    { end, index, isRaw }: { end: number; index: number; isRaw: boolean },
  ): void {
    // An older copy of the package does not tell the sides.
    if (begin !== undefined) {
      this.fragments.push({ start: begin.start, end, parts: [begin.index, index], isRaw });
    }
  }

  #next(): void {
    const start = this.#position;
    if (this.#values.has(start)) this.#addValue(start);
    else if (this.#skip(WHITE_SPACE)) return;
    else if (this.#skip(COMMENT)) this.#refuseInside('a comment', start);
    else if (this.#add('string', STRING)) this.#refuseInside('a string', start);
    else if (this.#isOperandDue() && this.#add('regex', REGEX)) this.#refuseInside('a regex', start);
    else if (this.#add('parameter', PARAMETER) || this.#add('saved', SAVED_QUERY)) {
      this.#refuseInside('a string', start);
    } else if (this.#isWordDue(start) && this.#addWord()) return;
    else {
      this.#add('mark', MARK);
      this.#brackets.take(this.tokens);
    }
  }

  #addValue(start: number): void {
    const token: ValueToken = {
      kind: 'value',
      text: '',
      start,
      end: start + 1,
      isExpression: this.#brackets.isExpression,
      at: this.tokens.length,
      brackets: this.#brackets.look(),
    };
    this.#position = token.end;
    this.tokens.push(token);
    this.values.push(token);
  }

  /** After the operand of an expression, `/` divides. */
  #isOperandDue(): boolean {
    const last = this.tokens.at(-1);
    const isOperandBehind = last !== undefined && (last.kind !== 'mark' || ')]}'.includes(last.text));
    return !this.#brackets.isExpression || !isOperandBehind;
  }

  /** After the operand of an expression, `*` and `%` calculate. */
  #isWordDue(start: number): boolean {
    return this.#isOperandDue() || !'*%'.includes(this.#source[start]!);
  }

  #addWord(): boolean {
    const start = this.#position;
    const isFilterWord = !this.#brackets.isExpression || this.#isLonePattern();
    if (!this.#skip(isFilterWord ? FILTER_WORD : EXPRESSION_WORD)) return false;
    // A pattern does not end in "//": a comment begins there.
    while (this.#position - 2 > start && this.#source.startsWith('//', this.#position - 2)) {
      this.#position -= 2;
    }
    this.#push('word', start);
    return true;
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#position;
    if (!pattern.test(this.#source)) return false;
    this.#position = pattern.lastIndex;
    return true;
  }

  /** A pattern can be a whole argument: always of a saved query, elsewhere for the star at its end. */
  #isLonePattern(): boolean {
    const text = this.#textAt(FILTER_WORD, this.#position);
    const rest = this.#textAt(/\s*[,)\]]/y, this.#position + text.length);
    if (text === '' || rest === '' || !this.#isOperandDue()) return false;
    if (this.#brackets.look().kind === 'saved') return true;
    return text.endsWith('*') && !/(?:^|[*+\-~¬:/])\*/.test(text);
  }

  #textAt(pattern: RegExp, position: number): string {
    pattern.lastIndex = position;
    return pattern.exec(this.#source)?.[0] ?? '';
  }

  #add(kind: QueryToken['kind'], pattern: RegExp): boolean {
    const start = this.#position;
    if (!this.#skip(pattern)) return false;
    this.#push(kind, start);
    return true;
  }

  #push(kind: QueryToken['kind'], start: number): void {
    const end = this.#position;
    const { isExpression } = this.#brackets;
    this.tokens.push({ kind, text: this.#source.slice(start, end), start, end, isExpression });
  }

  #refuseInside(what: string, start: number): void {
    const end = this.#position;
    const hole = [...this.#values].find((offset) => offset > start && offset < end);
    const edge = this.#edges.find((offset) => offset > start && offset < end);
    if (hole === undefined && edge === undefined) return;
    const advice = {
      'a string': 'Make the whole string one value, or use lql.pattern(text) with * as a wildcard.',
      'a regex': 'Make the whole expression one value, a RegExp.',
      'a comment': 'Remove it.',
    }[what];
    throw new LogOptionsException(
      `lql: a value can't be inserted into ${what} of the query, here after ${JSON.stringify(this.before(hole ?? edge!))}. ${advice}`,
    );
  }
}
