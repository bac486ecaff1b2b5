import { LogException } from '../errors.ts';
import { brand } from '../internal/brand.ts';
import type { Span } from './ast.ts';
import { describeProblem } from './source.ts';

/**
 * Something is wrong with the text of a query, at a place in it. `message` says on one line what, and where;
 * `toString()` adds the line in question with a caret.
 */
export abstract class QueryTextError extends LogException {
  /** The part of the query that is wrong. */
  readonly span: Span;
  /** Where it begins, in UTF-16 units from 0; never beyond the end of the text. */
  readonly offset: number;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  readonly #excerpt: string;

  /** `problem` is a sentence without a position: the position is added to it. */
  constructor(problem: string, code: string, source: string, span: Span) {
    const { message, offset, line, column, excerpt } = describeProblem(source, span, problem);
    super(message, code);
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
brand(QueryTextError, 'QueryTextError');
