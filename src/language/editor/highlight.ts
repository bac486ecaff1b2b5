import type { Span } from '../ast.ts';
import { isFunctionWord, isNumberText } from '../character-classes.ts';
import type { Token, TokenKind } from '../token.ts';
import { tokensWithComments } from '../tolerant-tokens.ts';

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

type Bracket = 'call' | 'other';

/** The context of a token. */
interface Place {
  readonly isArgument: boolean;
  readonly bracket: Bracket | undefined;
}

/** The parts of a query, in order and without overlaps. Whitespace is omitted. Works for text with syntax errors. */
export function highlight(query: string): readonly Highlight[] {
  const all = tokensWithComments(query);
  const tokens = all.filter(({ kind }) => kind !== 'comment');
  const isArgument = argumentTokens(tokens);
  const brackets = openBrackets(tokens);
  let index = -1;
  return all.map(({ kind, start, end }) => {
    if (kind === 'comment') return { kind, span: { start, end } };
    index += 1;
    const place = { isArgument: isArgument.has(index), bracket: brackets[index] };
    return { kind: kindOf(tokens, index, place), span: { start, end } };
  });
}

const OPERATORS: readonly TokenKind[] = [
  '<=>',
  ':=',
  '=>',
  '=~',
  '==',
  '!=',
  '<=',
  '>=',
  '=',
  '!',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
];
const FIELD_OPERATORS: readonly TokenKind[] = ['=', '!=', '<', '>', '<=', '>=', ':=', '=~', '<=>'];

function kindOf(tokens: readonly Token[], index: number, place: Place): HighlightKind {
  const token = tokens[index]!;
  const before = tokens[index - 1];
  if (before?.end === token.start && before.kind === '?') return 'variable';
  if (token.kind === '?') return 'variable';
  if (token.kind === '$' || (before?.end === token.start && before.kind === '$')) return 'savedQuery';
  if (token.kind === 'character') return 'text';
  if (token.kind === 'regex') return 'regex';
  if (OPERATORS.includes(token.kind)) return 'operator';
  if (token.kind !== 'word' && token.kind !== 'string') return 'punctuation';
  return nameKind(tokens, index, place);
}

function nameKind(tokens: readonly Token[], index: number, { isArgument, bracket }: Place): HighlightKind {
  const { kind, text, end } = tokens[index]!;
  const next = tokens[index + 1];
  const isFirst = next !== undefined && FIELD_OPERATORS.includes(next.kind);
  if (next?.kind === '(' && next.start === end && isFunctionWord(text)) return 'function';
  if (isArgument) return 'argument';
  if (isFirst || isWord(next, 'like') || (isWord(next, 'match') && tokens[index + 2]?.kind === '{'))
    return 'field';
  if (kind === 'string') return 'string';
  if (/^(?:and|or|not|like|true|false)$/i.test(text)) return 'keyword';
  if (/^(?:case|match)$/i.test(text) && next?.kind === '{') return 'keyword';
  if (isNumberText(text)) return 'number';
  return isExpressionWord(tokens, index, bracket) ? 'field' : 'text';
}

function isWord(token: Token | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word;
}

/** A word in an expression, or a value of an argument, is usually a field. */
function isExpressionWord(tokens: readonly Token[], index: number, bracket: Bracket | undefined): boolean {
  const before = tokens[index - 1]?.kind;
  const isOperand = before !== undefined && [':=', '+', '-', '*', '/', '%', '==', '<=>'].includes(before);
  return isOperand || bracket === 'call';
}

/** The innermost bracket that is open before each token. `[` counts as the bracket around it. */
function openBrackets(tokens: readonly Token[]): readonly (Bracket | undefined)[] {
  const open: (Bracket | undefined)[] = [];
  return tokens.map(({ kind, start }, index) => {
    const around = open.at(-1);
    if (kind === '(') open.push(isCallParenthesis(tokens[index - 1], start) ? 'call' : 'other');
    else if (kind === '[') open.push(around);
    else if (kind === '{') open.push('other');
    else if (kind === ')' || kind === ']' || kind === '}') open.pop();
    return around;
  });
}

function isCallParenthesis(before: Token | undefined, start: number): boolean {
  return before !== undefined && before.end === start && ['word', 'string'].includes(before.kind);
}

/** The names before `=` directly inside the parentheses of a call. */
function argumentTokens(tokens: readonly Token[]): ReadonlySet<number> {
  const names = new Set<number>();
  const open: boolean[] = [];
  for (const [index, { kind, start }] of tokens.entries()) {
    if (kind === '(') open.push(isCallParenthesis(tokens[index - 1], start));
    else if (kind === '[' || kind === '{') open.push(false);
    else if (kind === ')' || kind === ']' || kind === '}') open.pop();
    else if (kind === '=' && open.at(-1) === true) names.add(index - 1);
  }
  return names;
}
