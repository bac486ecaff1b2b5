import { isRegExp } from 'node:util/types';
import { LogOptionsException } from '../../errors.ts';
import { QueryFragment, type QueryText } from '../../index.ts';
import { describe } from '../../internal/option-checks.ts';
import { type FieldPattern, flattenFields, type LogFields, patternText } from './field-pattern.ts';

/** What a record must be like: a query in the service's language, or its fields. */
export type LogExpectation = QueryText | LogFields;

/** An expectation that is checked: the text of a query, or patterns by the flat name of the field. */
export type ResolvedExpectation =
  | { readonly kind: 'query'; readonly queryString: string }
  | { readonly kind: 'fields'; readonly patterns: ReadonlyMap<string, FieldPattern> };

/**
 * @param owner what takes the expectation, for messages.
 * @throws LogOptionsException for what is neither a query nor fields.
 */
export function resolveExpectation(owner: string, expectation: LogExpectation): ResolvedExpectation {
  if (typeof expectation === 'string' || expectation instanceof QueryFragment) {
    const queryString = String(expectation);
    // It would match everything, and is more likely a value that got lost.
    if (queryString.trim() !== '') return { kind: 'query', queryString };
    throw new LogOptionsException(`${owner}: the query is empty. Use "*" for any record.`);
  }
  if (typeof expectation !== 'object' || expectation === null || Array.isArray(expectation)) {
    throw new LogOptionsException(
      `${owner} takes a query or an object of fields, but got ${describe(expectation)}.`,
    );
  }
  if (isRegExp(expectation)) {
    throw new LogOptionsException(
      `${owner} takes a query or an object of fields. A RegExp stands for a field's value: { message: ${String(expectation)} }.`,
    );
  }
  const patterns = flattenFields(owner, expectation);
  if (patterns.size > 0) return { kind: 'fields', patterns };
  throw new LogOptionsException(`${owner}: the fields are empty. Use the query "*" for any record.`);
}

/** An expectation on one line, for messages. */
export function expectationText(expectation: ResolvedExpectation): string {
  if (expectation.kind === 'query') return expectation.queryString.replace(/\s*\n\s*/g, ' ');
  return [...expectation.patterns].map(([name, pattern]) => `${name}=${patternText(pattern)}`).join(' ');
}
