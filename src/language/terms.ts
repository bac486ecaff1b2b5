import type {
  ComparisonOperator,
  ExpressionNode,
  FieldNode,
  NumberNode,
  ParameterNode,
  PatternNode,
  RegexNode,
} from './ast.ts';
import { isFieldName, isFunctionWord, isNumberText, isPattern } from './character-classes.ts';
import { describeToken, type Token, type TokenKind } from './token.ts';
import { isKeyword, isText, type TokenCursor } from './token-cursor.ts';

// Field = FieldName | String
export function parseField(tokens: TokenCursor, token: Token): FieldNode {
  if (!isText(token)) tokens.failExpecting('a field name', token);
  if (token.kind === 'word' && !isFieldName(token.text)) {
    tokens.fail(
      `"${token.text}" is not a valid field name without double quotes; to calculate, write test(…)`,
      token,
    );
  }
  tokens.take(token);
  // user.`e-mail` is the same as "user.e-mail".
  const hasBackTicks = token.kind === 'word' && token.text.includes('`');
  const name = hasBackTicks ? token.text.replaceAll('`', '') : token.value;
  return {
    kind: 'Field',
    name,
    quoted: token.kind === 'string' || hasBackTicks,
    span: tokens.spanFrom(token),
  };
}

// Pattern = Text | String
export function parsePattern(tokens: TokenCursor, purpose: string): PatternNode {
  const token = tokens.peek('filter');
  if (!isText(token)) tokens.failExpecting(purpose, token);
  if (token.kind === 'word' && !isPattern(token.text)) {
    tokens.fail(`"${token.text}" is not a valid value without double quotes`, token);
  }
  tokens.take(token);
  return {
    kind: 'Pattern',
    text: token.value,
    quoted: token.kind === 'string',
    span: tokens.spanFrom(token),
  };
}

// Regex = '/' body '/' { 'd' | 'F' | 'g' | 'i' | 'm' }
export function parseRegex(tokens: TokenCursor, token: Token): RegexNode {
  tokens.take(token);
  return { kind: 'Regex', body: token.value, flags: token.flags ?? '', span: tokens.spanFrom(token) };
}

// Parameter = '?' Pattern | '?{' Pattern [ '=' Pattern ] '}'
export function parseParameter(tokens: TokenCursor, mark: Token): ParameterNode {
  tokens.take(mark);
  const name = tokens.accept('parameterName', 'word', 'string');
  if (name !== undefined) {
    const quoted = name.kind === 'string';
    return { kind: 'Parameter', name: name.value, quoted, span: tokens.spanFrom(mark) };
  }
  if (!tokens.accept('parameterName', '{')) {
    tokens.failExpecting('the name of a parameter directly after "?"', tokens.peek('parameterName'));
  }
  const { text, quoted } = parsePattern(tokens, 'the name of a parameter');
  const hasDefault = tokens.accept('filter', '=') !== undefined;
  const defaultValue = hasDefault ? parsePattern(tokens, 'the default of the parameter') : undefined;
  tokens.expect('filter', '}', ' at the end of the parameter');
  const span = tokens.spanFrom(mark);
  return { kind: 'Parameter', name: text, quoted, ...(defaultValue && { defaultValue }), span };
}

const COMPARISONS: readonly TokenKind[] = ['=', '!=', '<', '<=', '>', '>=', '<=>'];

/** Whether the token is a word directly followed by `(`. */
export function isCall(tokens: TokenCursor, token: Token): boolean {
  if (token.kind !== 'word') return false;
  const next = tokens.peekAfter(token, 'operator');
  return next.kind === '(' && next.start === token.end && isFunctionWord(token.text);
}

// Number, plain or in quotes
export function parseNumber(tokens: TokenCursor, token: Token, operator: ComparisonOperator): NumberNode {
  if (operator === '<' && token.kind === '>') tokens.fail('Write "!=" for not equal', token);
  if (!isText(token) || !isNumberText(token.value)) {
    const hint = isText(token) ? hintForComparand(token.value, operator) : '';
    tokens.fail(`Expected a number after "${operator}", found ${describeToken(token)}${hint}`, token);
  }
  tokens.take(token);
  return { kind: 'Number', text: token.value, quoted: token.kind === 'string', span: tokens.spanFrom(token) };
}

/** The fix for a comparison with text that is not a number. */
function hintForComparand(text: string, operator: string): string {
  if (/^\d{4}-\d\d/.test(text)) {
    return '; compare a time in epoch milliseconds, or set the time interval of the query';
  }
  if (/^[-\d]/.test(text)) return '; write a number without a unit, in the unit of the field';
  return `; to compare two fields, write test(a ${operator} b)`;
}

/** A pattern that is followed by a comma or the end of the list. */
export function acceptLonePattern(
  tokens: TokenCursor,
  isWanted: (text: string) => boolean,
): ExpressionNode | undefined {
  if (tokens.peek('operand').kind === 'regex') return undefined;
  const word = tokens.peek('filter');
  if (word.kind !== 'word' || !isWanted(word.text)) return undefined;
  if (![',', ')', ']'].includes(tokens.peekAfter(word, 'operator').kind)) return undefined;
  return parseBareword(tokens, word);
}

export function acceptArgumentName(tokens: TokenCursor, token: Token): FieldNode | undefined {
  if (!isText(token) || tokens.peekAfter(token, 'operator').kind !== '=') return undefined;
  const name = parseField(tokens, token);
  tokens.expect('operator', '=');
  return name;
}

export function parseBareword(tokens: TokenCursor, word: Token): ExpressionNode {
  tokens.take(word);
  return { kind: 'Bareword', text: word.text, span: tokens.spanFrom(word) };
}

/** `not` before a word or a parenthesis; elsewhere it is the name of a field. */
export function isNegation(tokens: TokenCursor, token: Token): boolean {
  return isKeyword(token, 'not') && ['word', '(', '!'].includes(tokens.peekAfter(token, 'operator').kind);
}

export function isComparison(tokens: TokenCursor, token: Token): boolean {
  if (!isKeyword(token, 'like')) return COMPARISONS.includes(token.kind);
  // A field can have the name "like".
  return !COMPARISONS.includes(tokens.peekAfter(token, 'filter').kind);
}
