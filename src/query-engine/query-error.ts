import { LogException } from '../errors.ts';
import { brand } from '../internal/brand.ts';
import { describeProblem, type Span } from '../query-language/index.ts';

/**
 * A query that can be parsed but not run: an unknown function, a wrong argument, a bad regular expression. `message`
 * says on one line what is wrong where; `toString()` adds the line in question with a caret. `code` is `LOG_QUERY_INVALID`.
 */
export class QueryError extends LogException {
  /** The part of the query that is wrong. */
  readonly span: Span;
  /** Where it begins, in UTF-16 units from 0. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly #excerpt: string;

  /** `problem` is a sentence without a position: the position is added to it. */
  constructor(problem: string, source: string, span: Span) {
    const { message, offset, line, column, excerpt } = describeProblem(source, span, problem);
    super(message, 'LOG_QUERY_INVALID');
    this.span = span;
    this.offset = offset;
    this.line = line;
    this.column = column;
    this.#excerpt = excerpt;
  }

  /** The line in question, and below it a caret. */
  get excerpt(): string {
    return this.#excerpt;
  }

  override toString(): string {
    return `${this.name}: ${this.message}\n${this.#excerpt}`;
  }
}
brand(QueryError, 'QueryError');
