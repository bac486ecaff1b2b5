import { brand } from '../core/brand.ts';
import type { Span } from './ast.ts';
import { QueryTextError } from './query-text-error.ts';

/** A query can't be parsed. `code` is `LOG_QUERY_SYNTAX`. */
export class QuerySyntaxError extends QueryTextError {
  constructor(problem: string, source: string, span: Span) {
    super(problem, 'LOG_QUERY_SYNTAX', source, span);
  }
}
brand(QuerySyntaxError, 'QuerySyntaxError');
