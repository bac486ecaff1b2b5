import { isFunctionWord } from '../../../language/character-classes.ts';
import { Lexer, type LexerMode } from '../../../language/lexer.ts';
import { QuerySyntaxError } from '../../../language/syntax-error.ts';
import type { Token } from '../../../language/token.ts';

/** An enclosing bracket in a query: parentheses of a call or a group, `[…]`, or `{…}`. The whole query counts as braces. */
interface Bracket {
  readonly kind: 'braces' | 'call' | 'group' | 'list';
  /** In lower case. */
  readonly functionName?: string;
  /** Whether the content is an expression. In braces, true after `:=` in a step. */
  isExpression: boolean;
}

/** After a word that is a complete argument or element, such as `https://h*`, in which `//` is not a comment. */
const AFTER_LONE_PATTERN = /\s*[,)\]]/y;
/** By the characters that have no counterpart. */
const UNCLOSED: Readonly<Record<string, string>> = { '"': 'a string', '/': 'a regex', '/*': 'a comment' };
const KEYWORDS = ['and', 'or', 'not'];
/** Functions whose arguments are expressions, in which a quoted name is a string instead of a field. */
const EXPRESSION_FUNCTIONS = ['array:append', 'coalesce', 'eval', 'getfield', 'if', 'setfield', 'test'];

/** Tracks the context in a query's text, as far as it affects how values are written. */
export class QueryContext {
  readonly #open: Bracket[] = [{ kind: 'braces', isExpression: false }];
  /** The word at the end of the text. */
  #word = '';
  #isAfterOperand = false;
  /** What the text so far ends in, such as `a string`, where nothing can be inserted. */
  problem: string | undefined;

  /** The function whose arguments enclose the position. */
  get functionName(): string | undefined {
    const around = this.#open.findLast(({ kind }) => kind !== 'list' && kind !== 'group');
    return around?.functionName;
  }

  get isInList(): boolean {
    return this.#last.kind === 'list';
  }

  /** Whether operators such as `+` are possible at the position. */
  get isExpression(): boolean {
    return this.#last.isExpression;
  }

  /** Whether a quoted name would be a string here. */
  get isFieldValue(): boolean {
    const name = this.functionName;
    if (name === undefined) return this.isExpression;
    return EXPRESSION_FUNCTIONS.includes(name) || name.startsWith('text:');
  }

  /** Reads more text. A string, regex or comment that starts in it must also end in it. */
  read(text: string): void {
    // Stands for the value that follows: it continues a word, and disappears in an unfinished comment.
    const lexer = new Lexer(`${text}_`);
    for (let position = 0; position < text.length && this.problem === undefined; ) {
      try {
        const token = lexer.read(this.#modeAt(lexer, text, position), position);
        if (token.start > position) this.#word = '';
        if (token.start === text.length) return;
        position = this.#take(token, lexer, text);
      } catch (error) {
        if (!(error instanceof QuerySyntaxError)) throw error;
        position = error.span.end;
        this.problem = UNCLOSED[text.slice(error.span.start, position)];
        this.skipValue();
      }
    }
  }

  /** Call it after inserting a value. */
  skipValue(): void {
    this.#word = '';
    this.#isAfterOperand = true;
  }

  get #last(): Bracket {
    return this.#open.at(-1)!;
  }

  #modeAt(lexer: Lexer, text: string, position: number): LexerMode {
    if (!this.isExpression) return 'filter';
    if (this.#isAfterOperand) return 'operator';
    const { kind, end } = lexer.read('filter', position);
    AFTER_LONE_PATTERN.lastIndex = end;
    return kind === 'word' && AFTER_LONE_PATTERN.test(text) ? 'filter' : 'operand';
  }

  /** @returns the end of the token */
  #take({ kind, start, end }: Token, lexer: Lexer, text: string): number {
    const name = kind === '$' && end < text.length ? lexer.read('savedQueryName', end) : undefined;
    if (name?.kind === 'word' || name?.kind === 'string') {
      // The parentheses after it belong to a call, regardless of the characters in its name.
      this.#takeWord('name');
      return name.end;
    }
    if (kind === 'word') this.#takeWord(text.slice(start, end));
    else if (kind === 'string' || kind === 'regex') this.skipValue();
    else if (kind === 'end') this.problem = 'a comment';
    else this.#takeMark(kind);
    return end;
  }

  #takeWord(word: string): void {
    this.#word = word;
    this.#isAfterOperand = !KEYWORDS.includes(word.toLowerCase());
  }

  #takeMark(mark: string): void {
    if (mark === '(') this.#open.push(this.#parenthesis());
    else if (mark === '[') this.#open.push({ kind: 'list', isExpression: true });
    else if (mark === '{') this.#open.push({ kind: 'braces', isExpression: false });
    else if (')]}'.includes(mark) && this.#open.length > 1) this.#open.pop();
    else if (this.#last.kind === 'braces') this.#takeStepMark(mark);
    this.#word = '';
    this.#isAfterOperand = ')]}'.includes(mark);
  }

  #takeStepMark(mark: string): void {
    if (mark === ':=') this.#last.isExpression = true;
    else if (mark === '|' || mark === ';') this.#last.isExpression = false;
  }

  #parenthesis(): Bracket {
    const name = this.#word.toLowerCase();
    const isCall = isFunctionWord(name) && !KEYWORDS.includes(name);
    if (!isCall) return { kind: 'group', isExpression: this.isExpression };
    return { kind: 'call', isExpression: true, functionName: name };
  }
}
