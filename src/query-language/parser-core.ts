import type { Span } from './ast.ts';
import { Lexer, type LexerMode } from './lexer.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { describeToken, type Token, type TokenKind } from './token.ts';

/** The tools that the grammar is written with: looking at tokens, taking them, and refusing the wrong ones. */
export abstract class ParserCore {
  readonly #lexer: Lexer;
  readonly #maxDepth: number;
  #offset = 0;
  #depth = 0;
  #taken: Token | undefined;

  constructor(source: string, maxDepth: number) {
    this.#lexer = new Lexer(source);
    this.#maxDepth = maxDepth;
  }

  /** The next token, read in the given mode. */
  protected peek(mode: LexerMode): Token {
    return this.#lexer.read(mode, this.#offset);
  }

  /** The token after one that has been peeked at. */
  protected peekAfter(token: Token, mode: LexerMode): Token {
    return this.#lexer.read(mode, token.end);
  }

  /** Moves past a token that has been peeked at. */
  protected take(token: Token): Token {
    this.#offset = token.end;
    this.#taken = token;
    return token;
  }

  /** Takes the next token if it is of this kind. */
  protected acceptToken(mode: LexerMode, kind: TokenKind): boolean {
    const token = this.peek(mode);
    if (token.kind !== kind) return false;
    this.take(token);
    return true;
  }

  /** Takes the next token, which has to be of this kind; `purpose` follows the kind in the message. */
  protected expectToken(mode: LexerMode, kind: TokenKind, purpose = ''): Token {
    const token = this.peek(mode);
    if (token.kind !== kind) this.failExpecting(`"${kind}"${purpose}`, token);
    return this.take(token);
  }

  /** Items with commas between them up to a closing token, which is taken, too. A comma may follow the last item. */
  protected list<T>(closer: TokenKind, item: string, parseItem: () => T): T[] {
    const items: T[] = [];
    while (!this.acceptToken('operand', closer)) {
      items.push(parseItem());
      if (this.acceptToken('operator', ',')) continue;
      this.#expectCloser(closer, item);
      break;
    }
    return items;
  }

  #expectCloser(closer: TokenKind, item: string): void {
    const token = this.peek('operator');
    if (token.kind === closer) {
      this.take(token);
      return;
    }
    const expected = `Expected "${closer}" or "," after ${item}, found ${describeToken(token)}`;
    this.fail(expected + this.#hintBehindValue(token), token);
  }

  /** What was probably meant by a token that follows a value within a list. */
  #hintBehindValue(token: Token): string {
    if (isKeyword(token, 'and') || isKeyword(token, 'or') || token.text === '&') {
      return `; to join filters with "${token.text === '&' ? 'and' : token.text}", put them in { … }`;
    }
    if (token.kind !== 'word') return HINTS[token.text] ?? '';
    return '; put text with spaces in double quotes';
  }

  /** Runs one level of a recursive production. The depth is bounded because every level takes room on the stack. */
  protected nest<T>(opening: Token, parseInner: () => T): T {
    this.#depth += 1;
    if (this.#depth > this.#maxDepth) this.failTooDeep(opening);
    const inner = parseInner();
    this.#depth -= 1;
    return inner;
  }

  /** From the first token of a node to the end of the token that was taken last. */
  protected spanFrom(first: Pick<Span, 'start'>): Span {
    return { start: first.start, end: this.#offset };
  }

  protected failTooDeep(place: Span): never {
    this.fail(`The query is nested more than ${this.#maxDepth} levels deep`, place);
  }

  protected failExpecting(expected: string, found: Token): never {
    this.fail(`Expected ${expected}, found ${describeToken(found)}${this.#hintAt(found)}`, found);
  }

  #hintAt(found: Token): string {
    const follows = this.#taken !== undefined && this.#taken.end === found.start;
    if (follows && this.#taken?.kind === 'regex' && found.kind === ']')
      return '; write a slash in a regex as "\\/"';
    if (follows && this.#taken?.kind === '=' && found.kind === '!') return '; write "!=" for not equal';
    return HINTS[found.text] ?? '';
  }

  protected fail(problem: string, { start, end }: Span): never {
    throw new QuerySyntaxError(problem, this.#lexer.source, { start, end });
  }

  /** Whether a line ends between the two places. */
  protected startsNewLine(end: number, start: number): boolean {
    return this.#lexer.source.slice(end, start).includes('\n');
  }
}

/** What was probably meant by marks that the language does not have. */
const HINTS: Readonly<Record<string, string>> = {
  "'": '; put text in double quotes',
  ':': '; put text that contains ":" in double quotes',
  '`': '; put a name with special characters in double quotes',
  '«': '; put text with this character in double quotes',
  '»': '; put text with this character in double quotes',
};

/** Whether the token is this keyword. Keywords are compared without regard to case. */
export function isKeyword(token: Token, keyword: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === keyword;
}
