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
      this.expectToken('operator', closer, ` or "," after ${item}`);
      break;
    }
    return items;
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
  protected spanFrom(first: Token): Span {
    return { start: first.start, end: this.#offset };
  }

  protected failTooDeep(place: Span): never {
    this.fail(`The query is nested too deeply: more than ${this.#maxDepth} levels`, place);
  }

  protected failExpecting(expected: string, found: Token): never {
    const hint = found.text === "'" ? '; text stands in double quotes' : '';
    this.fail(`Expected ${expected}, found ${describeToken(found)}${hint}`, found);
  }

  protected fail(problem: string, { start, end }: Span): never {
    throw new QuerySyntaxError(problem, this.#lexer.source, { start, end });
  }
}

/** Whether the token is this keyword. Keywords are compared without regard to case. */
export function isKeyword(token: Token, keyword: string): boolean {
  return token.kind === 'word' && token.text.toLowerCase() === keyword;
}
