import type { Span } from '../ast.ts';
import { isFunctionWord, isNumberText } from '../character-classes.ts';
import { ARITHMETIC_OPERATORS, OPERATORS, type Token, type TokenKind } from '../token.ts';
import { tokensWithComments } from '../tolerant-tokens.ts';
import { isCallAt, openBrackets } from './call-around.ts';

/** Kind of a part of a query. `text`: a value or a search word. `variable`: a parameter of the query. */
export type HighlightKind =
  | 'comment'
  | 'string'
  | 'regex'
  | 'number'
  | 'keyword'
  | 'function'
  | 'argument'
  | 'field'
  | 'variable'
  | 'savedQuery'
  | 'operator'
  | 'punctuation'
  | 'text';

/** A part of a query with its own color. */
export interface Highlight {
  readonly kind: HighlightKind;
  readonly span: Span;
}

/** The parts of a query, in order and without overlaps. Whitespace is omitted. Works for text with syntax errors. */
export function highlight(query: string): readonly Highlight[] {
  const all = tokensWithComments(query);
  const tokens = all.filter(({ kind }) => kind !== 'comment');
  const around = openBrackets(tokens);
  let index = -1;
  return all.map(({ kind, start, end }) => {
    if (kind === 'comment') return { kind, span: { start, end } };
    index += 1;
    return { kind: kindOf(tokens, index, around), span: { start, end } };
  });
}

const FIELD_OPERATORS: readonly TokenKind[] = ['=', '!=', '<', '>', '<=', '>=', ':=', '=~', '<=>'];

function kindOf(tokens: readonly Token[], index: number, around: readonly number[]): HighlightKind {
  const token = tokens[index]!;
  const before = tokens[index - 1];
  const mark = before?.end === token.start && /^[?$]$/.test(before.kind) ? before.kind : token.kind;
  if (mark === '?') return 'variable';
  if (mark === '$') return 'savedQuery';
  if (token.kind === 'character') return 'text';
  if (token.kind === 'regex') return 'regex';
  if ([...OPERATORS, ...ARITHMETIC_OPERATORS].some((one) => one === token.kind)) return 'operator';
  if (token.kind !== 'word' && token.kind !== 'string') return 'punctuation';
  return nameKind(tokens, index, around);
}

function nameKind(tokens: readonly Token[], index: number, around: readonly number[]): HighlightKind {
  const { kind, text, end } = tokens[index]!;
  const next = tokens[index + 1];
  const isFirst = next !== undefined && FIELD_OPERATORS.includes(next.kind);
  if (next?.kind === '(' && next.start === end && isFunctionWord(text)) return 'function';
  if (next?.kind === '=' && isCallAt(tokens, around[index]!)) return 'argument';
  if (isFirst || isWord(next, 'like') || (isWord(next, 'match') && tokens[index + 2]?.kind === '{'))
    return 'field';
  if (kind === 'string') return 'string';
  if (/^(?:and|or|not|like|true|false)$/i.test(text)) return 'keyword';
  if (/^(?:case|match)$/i.test(text) && next?.kind === '{') return 'keyword';
  if (isNumberText(text)) return 'number';
  return isExpressionWord(tokens, index, around) ? 'field' : 'text';
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

/** A word in an expression, or a value of an argument, is usually a field. */
function isExpressionWord(tokens: readonly Token[], index: number, around: readonly number[]): boolean {
  const before = tokens[index - 1]?.kind;
  const isOperand = before !== undefined && [':=', '==', '<=>', ...ARITHMETIC_OPERATORS].includes(before);
  let bracket = around[index]!;
  while (tokens[bracket]?.kind === '[') bracket = around[bracket]!;
  return isOperand || isCallAt(tokens, bracket);
}
