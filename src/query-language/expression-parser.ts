import type {
  ArgumentNode,
  ArrayNode,
  AssignmentNode,
  AttributeNode,
  BinaryOperator,
  CallNode,
  ExpressionNode,
  FieldNode,
  PipelineNode,
  RegexNode,
  SavedQueryNode,
  SubqueryNode,
  UnaryNode,
} from './ast.ts';
import { isFunctionWord, isPattern, isStarredPattern } from './character-classes.ts';
import { isKeyword } from './parser-core.ts';
import { TermParser } from './term-parser.ts';
import { describeToken, type Token } from './token.ts';

const COMPARISONS = ['==', '!=', '<=', '>=', '<', '>', '<=>'] as const;
const SUMS = ['+', '-'] as const;
const PRODUCTS = ['*', '/', '%'] as const;

/** Expressions, calls and their arguments. */
export abstract class ExpressionParser extends TermParser {
  /** How many `case { … }` and `match { … }` are around the place. */
  protected clauseDepth = 0;

  /** The steps up to `}`, `;`, `)` or the end of the query, which are not taken. */
  protected abstract parsePipeline(): PipelineNode;

  // Expr = Add [ ('==' | '!=' | '<=' | '>=' | '<' | '>' | '<=>') Add ]
  protected parseExpression(): ExpressionNode {
    const first = this.peek('operand');
    const left = this.#parseSum();
    const operator = this.#acceptOperator(COMPARISONS);
    if (operator === undefined) return left;
    const right = this.#parseSum();
    const next = this.peek('operator');
    if (isOneOf(next, COMPARISONS)) {
      this.fail(`Comparisons can't be chained: put one of them in parentheses`, next);
    }
    return { kind: 'Binary', operator, left, right, span: this.spanFrom(first) };
  }

  // Add = Mul { ('+' | '-') Mul }
  #parseSum(): ExpressionNode {
    return this.#parseChain(SUMS, () => this.#parseProduct());
  }

  // Mul = Un { ('*' | '/' | '%') Un }
  #parseProduct(): ExpressionNode {
    return this.#parseChain(PRODUCTS, () => this.#parseUnary());
  }

  #parseChain(operators: readonly BinaryOperator[], parseOperand: () => ExpressionNode): ExpressionNode {
    const first = this.peek('operand');
    let left = parseOperand();
    for (;;) {
      const operator = this.#acceptOperator(operators);
      if (operator === undefined) return left;
      if (operator === '*') this.#refuseTrailingStar();
      const right = parseOperand();
      left = { kind: 'Binary', operator, left, right, span: this.spanFrom(first) };
    }
  }

  /** `foo*` is a pattern in filters, so it is tempting to write one as an argument. */
  #refuseTrailingStar(): void {
    const token = this.peek('operand');
    if (!isOneOf(token, [',', ')', ']', '}', '|', ';', 'end'])) return;
    const hint =
      this.clauseDepth > 0 && token.kind === '|'
        ? 'to start another clause, write ";" before "*"'
        : 'to pass "text*" as an argument, put it in double quotes';
    this.fail(`Expected a value after "*", found ${describeToken(token)}; ${hint}`, token);
  }

  #acceptOperator(operators: readonly BinaryOperator[]): BinaryOperator | undefined {
    const token = this.peek('operator');
    if (!isOneOf(token, operators)) return undefined;
    this.take(token);
    return token.kind as BinaryOperator;
  }

  // Un = { '-' | '!' | 'not' } Prim
  #parseUnary(): ExpressionNode {
    const token = this.peek('operand');
    const operator: UnaryNode['operator'] | undefined = this.#isNegation(token)
      ? '!'
      : token.kind === '-'
        ? '-'
        : undefined;
    if (operator === undefined) return this.#parsePrimary(token);
    this.take(token);
    const operand = this.nest(token, () => this.#parseUnary());
    return { kind: 'Unary', operator, operand, span: this.spanFrom(token) };
  }

  /** `not` before a word or a parenthesis; elsewhere it is the name of a field. */
  #isNegation(token: Token): boolean {
    if (token.kind === '!') return true;
    return isKeyword(token, 'not') && isOneOf(this.peekAfter(token, 'operator'), ['word', '(', '!']);
  }

  // Prim = '(' Expr ')' | Array | Subquery | Call | SavedQuery | Param | Str | Bareword
  #parsePrimary(token: Token): ExpressionNode {
    switch (token.kind) {
      case '(':
        return this.#parseParenthesized(token);
      case '[':
        return this.parseArray(token);
      case '{':
        return this.#parseSubquery(token);
      case '$':
        return this.parseSavedQuery(token);
      case '?':
        return this.parseParameter(token);
      case 'string':
        this.take(token);
        return { kind: 'String', value: token.value, span: this.spanFrom(token) };
      case 'word':
        return this.#parseWord(token);
      case 'regex':
        return this.fail('A regex is only allowed in a filter or as a whole argument', token);
      default:
        return this.failExpecting('a value', token);
    }
  }

  #parseParenthesized(opening: Token): ExpressionNode {
    this.take(opening);
    const inner = this.nest(opening, () => this.parseExpression());
    this.expectToken('operator', ')', ' to close "("');
    return inner;
  }

  #parseWord(word: Token): ExpressionNode {
    if (this.isCall(word)) return this.parseCall(word);
    const next = this.peekAfter(word, 'operator');
    if (next.kind === ':') {
      const brace = this.peekAfter(next, 'operand');
      if (brace.kind === '{') return this.#parseSubquery(brace, word);
    }
    if (next.kind === '{' && isKeyword(word, 'case')) {
      this.fail('case { … } is a step and has no value: move the assignment into its clauses', word);
    }
    this.take(word);
    return { kind: 'Bareword', text: word.text, span: this.spanFrom(word) };
  }

  // Subquery = [ Ident ':' ] '{' Pipeline '}'
  #parseSubquery(opening: Token, name?: Token): SubqueryNode {
    this.take(opening);
    const pipeline = this.nest(opening, () => this.parsePipeline());
    this.expectToken('filter', '}', ' or "|" after the step');
    const span = this.spanFrom(name ?? opening);
    return name === undefined
      ? { kind: 'Subquery', pipeline, span }
      : { kind: 'Subquery', name: name.text, pipeline, span };
  }

  // Array = '[' [ Elem { ',' Elem } [ ',' ] ] ']'
  protected parseArray(opening: Token): ArrayNode {
    this.take(opening);
    const elements = this.nest(opening, () => this.list(']', 'the element', () => this.#parseElement()));
    return { kind: 'Array', elements, span: this.spanFrom(opening) };
  }

  // Elem = Fld ':=' Expr | Expr
  #parseElement(): ExpressionNode | AssignmentNode {
    const token = this.peek('operand');
    const isName = token.kind === 'word' || token.kind === 'string';
    if (isName && this.peekAfter(token, 'operator').kind === ':=') return this.parseAssignment(token);
    return this.#acceptStarredPattern() ?? this.parseExpression();
  }

  // Assignment = Fld ':=' Expr
  protected parseAssignment(name: Token): AssignmentNode {
    const target = this.parseField(name);
    this.expectToken('operator', ':=');
    const value = this.parseExpression();
    return { kind: 'Assignment', target, value, span: this.spanFrom(name) };
  }

  /** Whether the word is directly followed by `(`. */
  protected isCall(word: Token): boolean {
    const next = this.peekAfter(word, 'operator');
    return next.kind === '(' && next.start === word.end && isFunctionWord(word.text);
  }

  // Call = FunctionName '(' [ Arg { ',' Arg } [ ',' ] ] ')'
  protected parseCall(name: Token): CallNode {
    this.take(name);
    const opening = this.expectToken('operator', '(');
    const parameters = this.nest(opening, () => this.list(')', 'the argument', () => this.#parseArgument()));
    return {
      kind: 'Call',
      name: name.text,
      nameSpan: { start: name.start, end: name.end },
      arguments: parameters,
      span: this.spanFrom(name),
    };
  }

  // Arg = Fld '=' (Expr | Regex) | (Expr | Regex) { Attr }
  #parseArgument(): ArgumentNode {
    const token = this.peek('operand');
    const name = this.#acceptArgumentName(token);
    const value = this.#parseArgumentValue();
    if (name !== undefined) return { kind: 'Argument', name, value, span: this.spanFrom(token) };
    if (value.kind !== 'Subquery') return { kind: 'Argument', value, span: this.spanFrom(token) };
    const attributes = this.#parseAttributes();
    return attributes.length === 0
      ? { kind: 'Argument', value, span: this.spanFrom(token) }
      : { kind: 'Argument', value, attributes, span: this.spanFrom(token) };
  }

  #acceptArgumentName(token: Token): FieldNode | undefined {
    if (token.kind !== 'word' && token.kind !== 'string') return undefined;
    if (this.peekAfter(token, 'operator').kind !== '=') return undefined;
    const name = this.parseField(token);
    this.expectToken('operator', '=');
    return name;
  }

  #parseArgumentValue(): ExpressionNode | RegexNode {
    const token = this.peek('operand');
    if (token.kind === 'regex') return this.parseRegex(token);
    return this.#acceptStarredPattern() ?? this.parseExpression();
  }

  // Attr = Ident ':' Expr
  #parseAttributes(): AttributeNode[] {
    const attributes: AttributeNode[] = [];
    for (let name = this.peek('operator'); name.kind === 'word'; name = this.peek('operator')) {
      this.take(name);
      this.expectToken('operator', ':', ` after the attribute name`);
      const value = this.parseExpression();
      attributes.push({ kind: 'Attribute', name: name.text, value, span: this.spanFrom(name) });
    }
    return attributes;
  }

  // SavedQuery = '$' (Pat | Str) '(' [ SQArg { ',' SQArg } ] ')'
  protected parseSavedQuery(dollar: Token): SavedQueryNode {
    this.take(dollar);
    const name = this.peek('savedQueryName');
    if (name.kind !== 'word' && name.kind !== 'string') {
      this.failExpecting('the name of a saved query directly after "$"', name);
    }
    this.take(name);
    const opening = this.expectToken('operator', '(', ' after the saved query name');
    const parameters = this.nest(opening, () =>
      this.list(')', 'the argument', () => this.#parseSavedQueryArgument()),
    );
    return {
      kind: 'SavedQuery',
      name: name.value,
      quoted: name.kind === 'string',
      arguments: parameters,
      span: this.spanFrom(dollar),
    };
  }

  // SQArg = Fld '=' (Pat | Str | Expr)
  #parseSavedQueryArgument(): ArgumentNode {
    const token = this.peek('operand');
    const name = this.#acceptArgumentName(token);
    if (name === undefined) this.failExpecting('a named argument "name=value" for the saved query', token);
    // `a-b` is a text here, not a difference.
    const value = this.#acceptLonePattern(isPattern) ?? this.parseExpression();
    return { kind: 'Argument', name, value, span: this.spanFrom(token) };
  }

  /** `text*` as a whole argument or element: a product would need another operand. */
  #acceptStarredPattern(): ExpressionNode | undefined {
    return this.#acceptLonePattern(isStarredPattern);
  }

  /** A pattern that is all there is up to the next comma or closing mark. */
  #acceptLonePattern(isWanted: (text: string) => boolean): ExpressionNode | undefined {
    if (this.peek('operand').kind === 'regex') return undefined;
    const word = this.peek('filter');
    if (word.kind !== 'word' || !isWanted(word.text)) return undefined;
    if (!isOneOf(this.peekAfter(word, 'operator'), [',', ')', ']'])) return undefined;
    this.take(word);
    return { kind: 'Bareword', text: word.text, span: this.spanFrom(word) };
  }
}

function isOneOf(token: Token, kinds: readonly string[]): boolean {
  return kinds.includes(token.kind);
}
