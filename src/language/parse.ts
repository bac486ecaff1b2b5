import type { PipelineNode } from './ast.ts';
import { explain } from './diagnostics/check.ts';
import { QuerySyntaxError } from './syntax-error.ts';
import { type ParseOptions, parseTree } from './syntax-tree.ts';

/**
 * Parses a query. An empty query, which matches all events, returns a pipeline without steps.
 *
 * @throws QuerySyntaxError that says what was expected, and where
 * @throws LogOptionsException if an option is invalid or the query is not a string
 */
export function parse(source: string, options: ParseOptions = {}): PipelineNode {
  try {
    return parseTree(source, options);
  } catch (error) {
    const phrase = error instanceof QuerySyntaxError ? explain(source, error.span) : undefined;
    if (phrase === undefined) throw error;
    throw new QuerySyntaxError(phrase.message.replace(/\.$/, ''), source, phrase.span);
  }
}
