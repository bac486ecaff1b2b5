import { brand } from '../core/brand.ts';
import { QueryTextError, type Span } from '../language/index.ts';

/**
 * A query that can be parsed but not run, for example because of an unknown function or an invalid argument. `code` is
 * `LOG_QUERY_INVALID`.
 */
export class QueryError extends QueryTextError {
  constructor(problem: string, source: string, span: Span) {
    super(problem, 'LOG_QUERY_INVALID', source, span);
  }
}
brand(QueryError, 'QueryError');
