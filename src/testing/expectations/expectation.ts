import { LogOptionsException } from '../../core/errors.ts';
import { describe } from '../../core/option-checks.ts';
import { quoteField } from '../../core/query-text.ts';
import { shortenText } from '../../core/shorten-text.ts';
import { QueryFragment, type QueryText } from '../../index.ts';
import { demandsOn } from '../../language/demands.ts';
import { check } from '../../language/index.ts';
import { type FieldPattern, flattenFields, isAbsent, type LogFields, patternText } from './field-pattern.ts';
import { isUnfiltered } from './query-term.ts';

/** What a record must match: a query in the LogScale query language, or fields. */
export type LogExpectation = QueryText | LogFields;

/** A validated expectation: a query, or patterns by flat field name. */
export type ResolvedExpectation =
  | { readonly kind: 'query'; readonly queryString: string }
  | { readonly kind: 'fields'; readonly patterns: ReadonlyMap<string, FieldPattern> };

/** Longer expectations are cut in messages. */
const MAX_LINE_CHARACTERS = 500;

/**
 * @param owner the function to name in errors
 * @throws LogOptionsException if it is neither a query nor fields, or a query that probably means something else
 */
export function resolveExpectation(owner: string, expectation: LogExpectation): ResolvedExpectation {
  if (typeof expectation === 'string' || expectation instanceof QueryFragment) {
    const queryString = String(expectation);
    // It would match everything, and is probably a missing value.
    if (isUnfiltered(queryString))
      throw new LogOptionsException(`${owner}: the query has no filter. Use "*" to match any record.`);
    const doubt = check(queryString).find(({ severity }) => severity === 'warning');
    if (doubt === undefined) return { kind: 'query', queryString };
    throw new LogOptionsException(`${owner}: ${doubt.message}`);
  }
  const isMatcher = typeof Object(expectation).asymmetricMatch === 'function';
  if (isMatcher || Object.prototype.toString.call(expectation) !== '[object Object]')
    throw new LogOptionsException(
      `${owner} expects a query or an object of fields, such as { message: /…/ } (got ${describe(expectation)}).`,
    );
  const patterns = flattenFields(owner, expectation);
  const [first] = patterns.keys();
  if (![...patterns.values()].every(isAbsent)) return { kind: 'fields', patterns };
  throw new LogOptionsException(
    first === undefined
      ? `${owner}: the object has no fields. Use the query "*" to match any record.`
      : `${owner}: "${first}" is undefined and no other field has a value, so any record without it would match. If you mean that, use the query ${quoteField(first)}!=*`,
  );
}

/** The names of fields that an expectation may read. */
export function namesIn(expectation: ResolvedExpectation): readonly string[] {
  if (expectation.kind === 'fields') return [...expectation.patterns.keys()];
  return [...new Set(expectation.queryString.match(/[#@]?[\p{L}\p{N}_.[\]]+/gu))];
}

/** What an expectation demands of fields with these names, whatever the others contain; `undefined` if nothing. */
export function demandsOf(
  expectation: ResolvedExpectation,
  names: readonly string[],
): ResolvedExpectation | undefined {
  if (expectation.kind === 'query') {
    const queryString = demandsOn(expectation.queryString, names);
    return queryString === '' ? undefined : { kind: 'query', queryString };
  }
  const patterns = new Map([...expectation.patterns].filter(([name]) => names.includes(name)));
  return patterns.size === 0 ? undefined : { kind: 'fields', patterns };
}

/** An expectation on one line, for messages: without secrets, and cut. */
export function expectationLine(
  expectation: ResolvedExpectation,
  mask: { text(text: string): string },
): string {
  return shortenText(mask.text(expectationText(expectation)), MAX_LINE_CHARACTERS);
}

/** An expectation on one line. */
export function expectationText(expectation: ResolvedExpectation): string {
  if (expectation.kind === 'query') return expectation.queryString.replace(/\s*\n\s*/g, ' ');
  return [...expectation.patterns].map(([name, pattern]) => `${name}=${patternText(pattern)}`).join(' ');
}
