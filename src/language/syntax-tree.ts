import { refuseUnknownOptions, requireInteger, requireString } from '../core/option-checks.ts';
import type { PipelineNode, QueryNode } from './ast.ts';
import { parseQuery } from './grammar.ts';
import { chainOf } from './operator-chain.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import type { Token } from './token.ts';
import { TokenCursor } from './token-cursor.ts';
import { childrenOf } from './walk.ts';

/** The service's maximum length of a query, in characters. */
export const MAX_QUERY_LENGTH = 66_000;

/** Limits that protect the process from hostile queries. */
export interface ParseOptions {
  /**
   * Maximum length of a query, in UTF-16 code units. At most 1,000,000.
   *
   * @default 66_000
   */
  maxLength?: number | undefined;
  /**
   * Maximum nesting depth of a query, counted in levels of the syntax tree and of parentheses. Must be between 1 and
   * 300. A chain such as `a + b - c` counts as one level.
   *
   * @default 200
   */
  maxDepth?: number | undefined;
}

export interface ParsedQuery {
  readonly tree: PipelineNode;
  /** Without comments. */
  readonly tokens: readonly Token[];
}

/**
 * Parses a query as {@link parse} does. The error does not mention other query languages.
 *
 * @throws QuerySyntaxError
 * @throws LogOptionsException if an option is invalid or the query is not a string
 */
export function parseTree(source: string, options: ParseOptions = {}): PipelineNode {
  return parseTokens(source, options).tree;
}

/** Parses a query, and returns its tokens, too. */
export function parseTokens(source: string, options: ParseOptions = {}): ParsedQuery {
  refuseUnknownOptions('parse', options, ['maxLength', 'maxDepth']);
  const { maxLength = MAX_QUERY_LENGTH, maxDepth = 200 } = options;
  requireInteger('parse', 'maxLength', maxLength, { max: 1_000_000 });
  requireInteger('parse', 'maxDepth', maxDepth, { min: 1, max: 300 });
  requireString('parse', 'the query', source);
  if (source.length > maxLength) {
    const problem = `The query is too long: ${source.length} characters (maximum: ${maxLength})`;
    throw new QuerySyntaxError(problem, source, { start: maxLength, end: maxLength + 1 });
  }
  const tokens = new TokenCursor(source, maxDepth);
  const pipeline = parseQuery(tokens);
  rejectDeepTree(pipeline, maxDepth, tokens);
  return { tree: pipeline, tokens: tokens.taken };
}

/** Whether the text can be parsed. */
export function isQuery(text: string): boolean {
  try {
    parseTree(text);
    return true;
  } catch (error) {
    if (error instanceof QuerySyntaxError) return false;
    throw error;
  }
}

/** The tokens of a query; of one that can't be parsed, those before the first error. */
export function tokensOf(source: string): readonly Token[] {
  const cursor = new TokenCursor(source, 300);
  try {
    parseQuery(cursor);
  } catch (error) {
    if (!(error instanceof QuerySyntaxError)) throw error;
  }
  return cursor.taken;
}

/** Comparisons and steps add levels to the tree without recursion in the parser. */
function rejectDeepTree(pipeline: PipelineNode, maxDepth: number, tokens: TokenCursor): void {
  let level: readonly QueryNode[] = [pipeline];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > maxDepth) tokens.failTooDeep(level[0]!.span);
    level = level.flatMap(nodesWithin);
  }
}

/** The nodes one level below; for a chain of operators, all operands. */
function nodesWithin(node: QueryNode): readonly QueryNode[] {
  if (node.kind !== 'Binary') return childrenOf(node);
  const { first, links } = chainOf(node);
  return [first, ...links.map(({ operand }) => operand)];
}
