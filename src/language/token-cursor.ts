import type { Span } from './ast.ts';
import { Lexer, type LexerMode } from './lexer.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { describeToken, type Token, type TokenKind } from './token.ts';

/** What follows the last step of a pipeline. */
export const PIPELINE_ENDS: readonly TokenKind[] = ['end', '}', ';', ')'];

/** A position in the tokens of a query: looks ahead, advances, and fails at unexpected tokens. */
export class TokenCursor {
  /** Number of enclosing `case { … }` and `match { … }`. */
  clauseDepth = 0;
  /** The tokens before the position, in order. */
  readonly taken: Token[] = [];
  readonly #lexer: Lexer;
  readonly #maxDepth: number;
  #offset = 0;
  #depth = 0;

  constructor(source: string, maxDepth: number) {
    this.#lexer = new Lexer(source);
    this.#maxDepth = maxDepth;
  }

  /** The next token, read in the given mode. */
  peek(mode: LexerMode): Token {
    return this.#lexer.read(mode, this.#offset);
  }

  /** The token after `token`. */
  peekAfter(token: Token, mode: LexerMode): Token {
    return this.#lexer.read(mode, token.end);
  }

  /** Moves past a token that `peek` or `peekAfter` returned. */
  take(token: Token): Token {
    this.#offset = token.end;
    this.taken.push(token);
    return token;
  }

  /** Advances past the next token if it is one of these kinds. */
  accept(mode: LexerMode, ...kinds: TokenKind[]): Token | undefined {
    const token = this.peek(mode);
    return kinds.includes(token.kind) ? this.take(token) : undefined;
  }

  /** Advances past the next word of a filter if it is this keyword. */
  acceptKeyword(keyword: string): boolean {
    const token = this.peek('filter');
    return isKeyword(token, keyword) && this.take(token) === token;
  }

  /** Advances past the next token, which must be of this kind; `purpose` follows the kind in the error. */
  expect(mode: LexerMode, kind: TokenKind, purpose = ''): Token {
    return this.accept(mode, kind) ?? this.failExpecting(`"${kind}"${purpose}`, this.peek(mode));
  }

  /** Items separated by commas, and the token that closes the list. A comma may follow the last item. */
  list<T>(opening: Token, closer: TokenKind, item: string, parseItem: () => T): T[] {
    return this.nest(opening, () => this.#items(closer, item, parseItem));
  }

  #items<T>(closer: TokenKind, item: string, parseItem: () => T): T[] {
    const items: T[] = [];
    while (!this.accept('operand', closer)) {
      items.push(parseItem());
      if (this.accept('operator', ',')) continue;
      if (this.accept('operator', closer)) break;
      const token = this.peek('operator');
      const expected = `Expected "${closer}" or "," after ${item}, found ${describeToken(token)}`;
      this.fail(expected + hintAfterValue(token), token);
    }
    return items;
  }

  /** Clauses = '{' clause { ';' clause } [ ';' ] '}'. Without a name, there may be no clause. */
  clauses<T>(name: string | undefined, parseOne: () => T): T[] {
    const opening = this.expect('filter', '{');
    return this.nest(opening, () => {
      this.clauseDepth += 1;
      const clauses: T[] = [];
      do {
        const token = this.peek('filter');
        if (token.kind === '}' && (name === undefined || clauses.length > 0)) break;
        if (PIPELINE_ENDS.includes(token.kind)) this.failExpecting(name ?? 'a clause', token);
        clauses.push(parseOne());
      } while (this.accept('filter', ';'));
      this.expect('filter', '}', ', ";" or "|" after the step');
      this.clauseDepth -= 1;
      return clauses;
    });
  }

  /** @param mode in which the closing parenthesis is read */
  parenthesized<T>(opening: Token, mode: LexerMode, parseInner: () => T): T {
    this.take(opening);
    const inner = this.nest(opening, parseInner);
    this.expect(mode, ')', ' to close "("');
    return inner;
  }

  /** Advances past all `|`, if there is one. */
  skipPipes(): boolean {
    let previous: Token | undefined;
    for (;;) {
      const pipe = this.accept('filter', '|');
      if (pipe === undefined) return previous !== undefined;
      if (previous?.end === pipe.start) {
        const place = { start: previous.start, end: pipe.end };
        this.fail('Write "or" between filters: "||" is not an operator', place);
      }
      previous = pipe;
    }
  }

  /** Parses one level of a recursive production. The depth is limited because each level uses the call stack. */
  nest<T>(opening: Token, parseInner: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) this.failTooDeep(opening);
    const inner = parseInner();
    this.#depth -= 1;
    return inner;
  }

  /** From the start of a node to the end of the last token. */
  spanFrom({ start }: Pick<Span, 'start'>): Span {
    return { start, end: this.#offset };
  }

  /** Whether there is a line break between two offsets. */
  hasNewlineBetween(start: number, end: number): boolean {
    return this.#lexer.source.slice(start, end).includes('\n');
  }

  failTooDeep(place: Span): never {
    this.fail(`The query is nested more than ${this.#maxDepth} levels deep`, place);
  }

  failExpecting(expected: string, found: Token): never {
    this.fail(`Expected ${expected}, found ${describeToken(found)}${this.#hintAt(found)}`, found);
  }

  fail(problem: string, { start, end }: Span): never {
    throw new QuerySyntaxError(problem, this.#lexer.source, { start, end });
  }

  #hintAt(found: Token): string {
    const last = this.taken.at(-1);
    const before = last?.end === found.start ? last.kind : undefined;
    if (before === 'regex' && found.kind === ']') return '; write a slash in a regex as "\\/"';
    if (before === '=' && found.kind === '!') return '; write "!=" for not equal';
    return HINTS[found.text] ?? '';
  }
}

/** Hints for characters that are not part of the language. */
const HINTS: Readonly<Record<string, string>> = {
  "'": '; put text in double quotes',
  ':': '; put text that contains ":" in double quotes',
  '`': '; put a name with special characters in double quotes',
  '«': '; put text with this character in double quotes',
  '»': '; put text with this character in double quotes',
};

/** Hints for a token after a list item. */
function hintAfterValue(token: Token): string {
  if (isKeyword(token, 'and') || isKeyword(token, 'or') || token.text === '&') {
    return `; to join filters with "${token.text === '&' ? 'and' : token.text}", put them in { … }`;
  }
  if (token.kind === 'word') return '; separate values by commas, and put text with spaces in double quotes';
  return HINTS[token.text] ?? '';
}

/** Whether the token is this keyword. Keywords ignore case. */
export function isKeyword(token: Token, keyword: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === keyword;
}

/** Whether the token is a word or a string. */
export function isText(token: Token): boolean {
  return token.kind === 'word' || token.kind === 'string';
}
