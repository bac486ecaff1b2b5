import { brand } from '../core/brand.ts';
import { LogException, type LogExceptionCode } from '../core/exception.ts';
import type { Span } from './ast.ts';
import { describeProblem } from './source.ts';

/**
 * An error at a position in a query. `message` is one line with the problem and the position; `toString()` adds the line
 * of the query with a caret.
 */
export abstract class QueryTextError extends LogException {
  /** The part of the query that is wrong. */
  readonly span: Span;
  /** Start of that part, in UTF-16 code units from 0; at most the length of the query. */
  readonly offset: number;
  /** Line, counted from 1. */
  readonly line: number;
  /** Column, counted from 1, in UTF-16 code units. */
  readonly column: number;
  readonly #excerpt: string;

  /** @param problem a sentence without a position; the position is appended */
  constructor(problem: string, code: LogExceptionCode, source: string, span: Span) {
    const { message, offset, line, column, excerpt } = describeProblem(source, span, problem);
    super(message, code);
    this.span = span;
    this.offset = offset;
    this.line = line;
    this.column = column;
    this.#excerpt = excerpt;
  }

  /** The line of the query, with a caret below the error. */
  get excerpt(): string {
    return this.#excerpt;
  }

  override toString(): string {
    return `${this.name}: ${this.message}\n${this.#excerpt}`;
  }
}
brand(QueryTextError, 'QueryTextError');

/** A query can't be parsed. `code` is `LOG_QUERY_SYNTAX`. */
export class QuerySyntaxError extends QueryTextError {
  constructor(problem: string, source: string, span: Span) {
    super(problem, 'LOG_QUERY_SYNTAX', source, span);
  }
}
brand(QuerySyntaxError, 'QuerySyntaxError');
