import { SERVICE_FUNCTIONS } from '../../query-language/function-names.ts';
import { parse, QuerySyntaxError } from '../../query-language/index.ts';
import { Lexer } from '../../query-language/lexer.ts';
import type { Token } from '../../query-language/token.ts';

/** What the editor knows of the query language. */

export type TokenStyle =
  | 'comment'
  | 'string'
  | 'regex'
  | 'number'
  | 'function'
  | 'field'
  | 'operator'
  | 'keyword';

export interface StyledToken {
  readonly start: number;
  readonly end: number;
  readonly style: TokenStyle;
}

const KEYWORDS = new Set(['and', 'or', 'not', 'like', 'case', 'match']);

/** The tokens of a query that have a color, as far as it can be read. */
export function styledTokens(source: string): readonly StyledToken[] {
  const tokens = readTokens(source);
  const styled = tokens.flatMap((token, index): StyledToken[] => {
    const style = styleOf(token, tokens[index + 1]);
    return style === undefined ? [] : [{ start: token.start, end: token.end, style }];
  });
  return [...commentsBetween(source, tokens), ...styled].sort((left, right) => left.start - right.start);
}

function readTokens(source: string): readonly Token[] {
  const lexer = new Lexer(source);
  const tokens: Token[] = [];
  try {
    for (let offset = 0; ; ) {
      const token = lexer.read('filter', offset);
      if (token.kind === 'end') return tokens;
      tokens.push(token);
      offset = token.end;
    }
  } catch {
    // The rest can't be read.
    return tokens;
  }
}

function styleOf({ kind, text }: Token, next: Token | undefined): TokenStyle | undefined {
  if (kind === 'string' || kind === 'regex') return kind;
  if (kind !== 'word') return kind === 'character' ? undefined : 'operator';
  if (KEYWORDS.has(text.toLowerCase())) return 'keyword';
  if (next?.kind === '(') return 'function';
  if (next !== undefined && /^(?:=|!=|:=|<|>|<=|>=|=~|==)$/.test(next.kind)) return 'field';
  return /^-?\d/.test(text) ? 'number' : undefined;
}

/** What lies between tokens is whitespace or a comment. */
function commentsBetween(source: string, tokens: readonly Token[]): readonly StyledToken[] {
  const comments: StyledToken[] = [];
  let end = 0;
  for (const { start, end: next } of [...tokens, { start: source.length, end: source.length }]) {
    const gap = source.slice(end, start);
    const first = gap.search(/\/[/*]/);
    if (first !== -1) comments.push({ start: end + first, end: start, style: 'comment' });
    end = next;
  }
  return comments;
}

export interface EditorProblem {
  readonly start: number;
  readonly end: number;
  readonly message: string;
}

/** The first error of a query; what only the service knows is not checked. */
export function findProblem(source: string): EditorProblem | undefined {
  if (source.trim() === '') return undefined;
  try {
    parse(source);
    return undefined;
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
    return { ...error.span, message: withoutPosition(error.message) };
  }
}

/** The part of a query that an error of the service points at: it names line and column, and underlines it. */
export function placeOfError(source: string, message: string): EditorProblem | undefined {
  const [, line, column] = /\(line (\d+), column (\d+)\)/.exec(message) ?? [];
  if (line === undefined || column === undefined) return undefined;
  const before = source.split('\n').slice(0, Number(line) - 1);
  const start = before.join('\n').length + (before.length > 0 ? 1 : 0) + Number(column) - 1;
  const width = /\^+/.exec(message)?.[0].length ?? 1;
  const end = Math.min(source.length, start + width);
  return { start: Math.min(start, end), end, message: withoutPosition(message) };
}

function withoutPosition(message: string): string {
  return message.split('\n')[0]!.replace(/ \(line \d+, column \d+\)/, '');
}

export { SERVICE_FUNCTIONS };
