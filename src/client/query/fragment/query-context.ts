/**
 * An enclosing bracket in a query: parentheses of a call or a group, `[…]`, or `{…}`. The whole query counts as braces.
 */
interface Bracket {
  readonly kind: 'braces' | 'call' | 'group' | 'list';
  /** In lower case. */
  readonly functionName?: string;
  /** Whether the content is an expression. In braces, true after `:=` in a step. */
  isExpression: boolean;
}

const NO_WORD = '\\s\\u0085!"$\'(),;<=>?[\\]`{|}/:';
const FILTER_WORD = `(?:[^${NO_WORD}]|:(?!=))(?:[^${NO_WORD}]|:(?!=)|\\/(?!\\/)|(?<=:)\\/\\/)*`;
const LONE_PATTERN = new RegExp(`${FILTER_WORD}\\s*[,)\\]]`, 'y');
const SAVED_QUERY = new RegExp(`\\$(?:${FILTER_WORD}|"(?:[^"\\\\]|\\\\[^])*")`, 'y');
const TOKENS = {
  filter: tokens(FILTER_WORD),
  expression: tokens(`[^${NO_WORD}*+%~-](?:[^${NO_WORD}*+~-]|:(?=[^${NO_WORD}*+~-]))*`),
};
const REGEX = /\/(?:[^/\\\n\r]|\\[^\n\r])+\/[A-Za-z]*/y;
const FUNCTION_NAME = /^[a-z][a-z0-9_]*(?::[a-z][a-z0-9_]*)?$/i;
const KEYWORDS = ['and', 'or', 'not'];
/** Functions whose arguments are expressions, in which a quoted name is a string instead of a field. */
const EXPRESSION_FUNCTIONS = ['array:append', 'coalesce', 'eval', 'getfield', 'if', 'setfield', 'test'];

/** Groups: whitespace, a comment, a string, a word, or any other character. */
function tokens(word: string): RegExp {
  const comment = '\\/\\/[^\\n\\r]*(?=[\\n\\r])|\\/\\*[^]*?\\*\\/';
  const string = '"(?:[^"\\\\]|\\\\[^])*"';
  return new RegExp(`([\\s\\u0085]+|${comment})|(${string})|(${word})|(:=|[^])`, 'y');
}

/** Whether a word such as `https://h*` is a complete argument or element, in which `//` is not a comment. */
function isLonePattern(text: string, position: number): boolean {
  LONE_PATTERN.lastIndex = position;
  return LONE_PATTERN.test(text);
}

/** Tracks the context in a query's text, as far as it affects how values are written. */
export class QueryContext {
  readonly #open: Bracket[] = [{ kind: 'braces', isExpression: false }];
  /** The word at the end of the text. */
  #word = '';
  #isAfterOperand = false;
  #problem: string | undefined;

  /** What the text so far ends in, such as `a string`, where nothing can be inserted. */
  get problem(): string | undefined {
    return this.#problem;
  }

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
    for (let position = 0; position < text.length && this.#problem === undefined; ) {
      position += this.#readToken(text, position);
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

  /** @returns the length of the token */
  #readToken(text: string, position: number): number {
    const isDivision = this.isExpression && this.#isAfterOperand;
    const opening = text.slice(position, position + 2);
    if (opening[0] === '/' && opening !== '//' && opening !== '/*' && !isDivision) {
      REGEX.lastIndex = position;
      const regex = REGEX.exec(text)?.[0];
      if (regex === undefined) this.#problem = 'a regex';
      this.skipValue();
      return regex?.length ?? 1;
    }
    SAVED_QUERY.lastIndex = position;
    const savedQuery = SAVED_QUERY.exec(text)?.[0];
    if (savedQuery !== undefined) {
      // The parentheses after it belong to a call, regardless of the characters in its name.
      this.#takeWord('name');
      return savedQuery.length;
    }
    const isPattern = !this.#isAfterOperand && isLonePattern(text, position);
    const pattern = this.isExpression && !isPattern ? TOKENS.expression : TOKENS.filter;
    pattern.lastIndex = position;
    const [token = '', ignored, string, word, mark] = pattern.exec(text) ?? [];
    if (ignored !== undefined) this.#word = '';
    else if (string !== undefined) this.skipValue();
    else if (word !== undefined) this.#takeWord(word);
    else this.#takeMark(mark ?? '', opening);
    return Math.max(1, token.length);
  }

  #takeWord(word: string): void {
    this.#word = word;
    this.#isAfterOperand = true;
  }

  #takeMark(mark: string, opening: string): void {
    if (mark === '"') this.#problem = 'a string';
    else if (opening === '//' || opening === '/*') this.#problem = 'a comment';
    else if (mark === '(') this.#open.push(this.#parenthesis());
    else if (mark === '[') this.#open.push({ kind: 'list', isExpression: true });
    else if (mark === '{') this.#open.push({ kind: 'braces', isExpression: false });
    else if (')]}'.includes(mark) && this.#open.length > 1) this.#open.pop();
    else if (this.#last.kind === 'braces') this.#takeStepMark(mark);
    this.#word = '';
    // As an operand, `*` is a wildcard; after one, it multiplies.
    this.#isAfterOperand = ')]}'.includes(mark) || (mark === '*' && !this.#isAfterOperand);
  }

  #takeStepMark(mark: string): void {
    if (mark === ':=') this.#last.isExpression = true;
    else if (mark === '|' || mark === ';') this.#last.isExpression = false;
  }

  #parenthesis(): Bracket {
    const name = this.#word.toLowerCase();
    const isCall = FUNCTION_NAME.test(name) && !KEYWORDS.includes(name);
    if (!isCall) return { kind: 'group', isExpression: this.isExpression };
    return { kind: 'call', isExpression: true, functionName: name };
  }
}
