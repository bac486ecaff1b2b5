import type {
  ComparisonNode,
  ComparisonOperator,
  FieldCallNode,
  FieldNode,
  FilterNode,
  NumberNode,
  ParameterNode,
} from './ast.ts';
import { isNumberText } from './character-classes.ts';
import { ExpressionParser } from './expression-parser.ts';
import { isFunctionName } from './function-names.ts';
import { isKeyword } from './parser-core.ts';
import { isReservedWord } from './reserved-words.ts';
import { describeToken, type Token, type TokenKind } from './token.ts';

const EQUALITIES: readonly TokenKind[] = ['=', '!='];
const ORDERINGS: readonly TokenKind[] = ['<', '<=', '>', '>='];
const COMPARISONS: readonly TokenKind[] = [...EQUALITIES, ...ORDERINGS, '<=>'];
export const OPERAND_STARTS: readonly TokenKind[] = ['(', '!', '?', 'word', 'string', 'regex'];

/** What to write instead of a comparison with text that is not a number. */
function hintForComparand(text: string, operator: string): string {
  if (/^\d{4}-\d\d/.test(text)) {
    return '; compare a time in epoch milliseconds, or set the time interval of the query';
  }
  return `; to compare two fields, write test(a ${operator} b)`;
}

/** Filters. `or` binds tighter than `and`, and `not` tighter than both. */
export abstract class FilterParser extends ExpressionParser {
  /** Whether a step that is no filter begins here: it may follow a filter without a `|` between them. */
  protected abstract isOtherStep(token: Token): boolean;

  // Filter = OrF { [ 'and' ] OrF }
  // `first` is an operand that has been read already.
  protected parseFilter(first?: FilterNode): FilterNode {
    const start = first?.span ?? this.peek('filter');
    const operands = [this.#parseAlternatives(first)];
    for (;;) {
      const token = this.peek('filter');
      if (isKeyword(token, 'and')) this.take(token);
      else if (!OPERAND_STARTS.includes(token.kind) || this.isOtherStep(token)) break;
      operands.push(this.#parseAlternatives());
    }
    const [single] = operands;
    return operands.length === 1 ? single! : { kind: 'And', operands, span: this.spanFrom(start) };
  }

  // OrF = Unary { 'or' Unary }
  #parseAlternatives(first?: FilterNode): FilterNode {
    const start = first?.span ?? this.peek('filter');
    const operands = [first ?? this.#parseNegation()];
    for (let token = this.peek('filter'); isKeyword(token, 'or'); token = this.peek('filter')) {
      this.take(token);
      operands.push(this.#parseNegation());
    }
    const [single] = operands;
    return operands.length === 1 ? single! : { kind: 'Or', operands, span: this.spanFrom(start) };
  }

  // Unary = { 'not' | '!' } Primary
  #parseNegation(): FilterNode {
    const token = this.peek('filter');
    if (token.kind !== '!' && !isKeyword(token, 'not')) return this.#parsePrimary(token);
    this.take(token);
    const operand = this.nest(token, () => this.#parseNegation());
    return { kind: 'Not', operand, span: this.spanFrom(token) };
  }

  // Primary = '(' Filter ')' | 'true' | 'false' | Comparison | Call | FreeText
  // FreeText = Regex | Param | Str | Pat
  #parsePrimary(token: Token): FilterNode {
    switch (token.kind) {
      case '(':
        return this.#parseParenthesized(token);
      case '?':
        return { kind: 'FreeText', value: this.parseParameter(token), span: this.spanFrom(token) };
      case 'regex':
        return { kind: 'FreeText', value: this.parseRegex(token), span: this.spanFrom(token) };
      case 'string':
      case 'word':
        return this.#parseNamed(token);
      default:
        return this.failExpecting('a filter', token);
    }
  }

  #parseParenthesized(opening: Token): FilterNode {
    this.take(opening);
    const filter = this.nest(opening, () => this.parseFilter());
    this.expectToken('filter', ')', ' to close "("');
    return filter;
  }

  /** What begins with a word or a string: the token behind it tells what it is. */
  #parseNamed(token: Token): FilterNode {
    if (isKeyword(token, 'and') || isKeyword(token, 'or')) this.failExpecting('a filter', token);
    const next = this.peekAfter(token, 'filter');
    if (this.#isComparison(next)) return this.#parseComparison(token);
    if (next.kind === '==') this.fail('Write "=" in a filter: "==" is only allowed in expressions', next);
    if (next.kind === '=~') return this.#parseFieldCallOperand(token);
    if (next.kind === ':=') {
      this.fail(`":=" is not allowed inside a filter: make the assignment a separate step`, next);
    }
    if (token.kind === 'word') {
      if (this.isCall(token)) return this.parseCall(token);
      if (token.text === 'true' || token.text === 'false') {
        this.take(token);
        return { kind: 'Boolean', value: token.text === 'true', span: this.spanFrom(token) };
      }
      this.#refuseReserved(token);
    }
    return { kind: 'FreeText', value: this.parsePattern('a filter'), span: this.spanFrom(token) };
  }

  /** `a =~ fn()` within a filter is as good as `a = fn()`. */
  #parseFieldCallOperand(name: Token): ComparisonNode {
    const { field, negated, call, span } = this.parseFieldCall(name);
    if (!isFunctionName(call.name)) this.fail(`There is no function "${call.name}"`, call.nameSpan);
    return { kind: 'Comparison', field, operator: negated ? '!=' : '=', value: call, span };
  }

  // FieldCall = Fld '=~' [ '!' | 'not' ] Call
  protected parseFieldCall(name: Token): FieldCallNode {
    const field = this.parseField(name);
    this.expectToken('filter', '=~');
    let token = this.peek('filter');
    const negated = token.kind === '!' || isKeyword(token, 'not');
    if (negated) {
      this.take(token);
      token = this.peek('filter');
    }
    if (token.kind !== 'word' || !this.isCall(token)) this.#refuseFieldCallValue(token);
    const call = this.parseCall(token);
    return { kind: 'FieldCall', field, negated, call, span: this.spanFrom(name) };
  }

  #refuseFieldCallValue(token: Token): never {
    if (token.kind === 'regex')
      this.fail('Expected a function call after "=~"; to match a regex, write "="', token);
    this.failExpecting('a function call after "=~"', token);
  }

  #isComparison(token: Token): boolean {
    if (!isKeyword(token, 'like')) return COMPARISONS.includes(token.kind);
    // A field can have the name "like".
    return !COMPARISONS.includes(this.peekAfter(token, 'filter').kind);
  }

  #refuseReserved(word: Token): void {
    if (isKeyword(word, 'in')) this.fail('"in" is a function: write in(field, values=[…])', word);
    if (isKeyword(word, 'like'))
      this.fail(
        '"like" belongs between a field and a value; to negate it, write "not" before the field',
        word,
      );
    if (isFunctionName(word.text)) {
      this.fail(
        `"${word.text}" is a function: write "(" directly after the name, or put the word in double quotes to search for it`,
        word,
      );
    }
    if (isReservedWord(word.text)) {
      this.fail(`"${word.text}" is a reserved word: put it in double quotes to search for it`, word);
    }
  }

  // Comparison = Fld ('=' | '!=') (Regex | Call | Param | Str | Pat)
  //            | Fld 'like' (Str | Pat | Param | Regex)
  //            | Fld ('<' | '<=' | '>' | '>=') (Number | Param)
  //            | Fld '<=>' Fld
  #parseComparison(name: Token): ComparisonNode {
    const field = this.parseField(name);
    const token = this.take(this.peek('filter'));
    const operator = (token.kind === 'word' ? 'like' : token.kind) as ComparisonOperator;
    const value = this.#parseComparand(operator);
    return { kind: 'Comparison', field, operator, value, span: this.spanFrom(name) };
  }

  #parseComparand(operator: ComparisonOperator): ComparisonNode['value'] {
    const token = this.peek('filter');
    if (token.kind === '?') return this.parseParameter(token);
    if (ORDERINGS.includes(operator as TokenKind)) return this.#parseNumber(token, operator);
    if (operator === '<=>') return this.#parseOtherField(token);
    if (token.kind === 'regex') return this.parseRegex(token);
    // An unknown word before "(" is a value here, and the parenthesis the next operand: `a=b(c=d)`.
    const isValueCall = operator !== 'like' && token.kind === 'word' && this.isCall(token);
    if (isValueCall && isFunctionName(token.text)) return this.parseCall(token);
    return this.parsePattern(`a value after "${operator}"`);
  }

  // Number, plain or in quotes
  #parseNumber(token: Token, operator: ComparisonOperator): NumberNode | ParameterNode {
    const isText = token.kind === 'word' || token.kind === 'string';
    if (operator === '<' && token.kind === '>') this.fail('Write "!=" for not equal', token);
    if (!isText || !isNumberText(token.value)) {
      const hint = isText ? hintForComparand(token.value, operator) : '';
      this.fail(`Expected a number after "${operator}", found ${describeToken(token)}${hint}`, token);
    }
    this.take(token);
    return { kind: 'Number', text: token.value, quoted: token.kind === 'string', span: this.spanFrom(token) };
  }

  #parseOtherField(token: Token): FieldNode {
    if (token.kind !== 'word' && token.kind !== 'string')
      this.failExpecting('a field name after "<=>"', token);
    return this.parseField(token);
  }
}
