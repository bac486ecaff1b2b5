import { applyEdit, check, type Diagnostic, type Span } from '../../language/index.ts';
import { refusalOf } from '../../server/line-query/query-refusal.ts';

/**
 * The problems of a query: those that `check` finds, and what the engine refuses where `check` finds no error. A fix that
 * the engine refuses is not offered.
 *
 * @param unknownParts placeholders for values that are only known later; a query with any is not compiled
 */
export function queryProblems(query: string, unknownParts: readonly Span[] = []): readonly Diagnostic[] {
  const found = check(query, { unknownParts });
  if (unknownParts.length > 0) {
    const words = unknownParts.map(({ start, end }) => query.slice(start, end));
    // A placeholder in a fix would replace its value.
    return found.map(({ fix, ...problem }) => {
      return fix === undefined || words.some((word) => fix.text.includes(word))
        ? problem
        : { ...problem, fix };
    });
  }
  const offered = found.map((one) => {
    const { fix, ...problem } = one;
    return fix !== undefined && refusalOf(applyEdit(query, fix)) !== undefined ? problem : one;
  });
  const refusal = refusalOf(query);
  if (refusal === undefined) return offered;
  const { message, span, line, column } = refusal;
  const isKnown = ({ severity, code, span: { start, end } }: Diagnostic) =>
    (severity === 'error' || code === 'unsupported-function') && start <= span.end && end >= span.start;
  if (found.some(isKnown)) return offered;
  const problem = message.replace(` (line ${line}, column ${column})`, '').replace(/[^.?]$/, '$&.');
  const added: Diagnostic = { code: 'not-compiled', severity: 'error', message: problem, span };
  return [...offered, added].sort((a, b) => a.span.start - b.span.start);
}

/** The first error of a query. */
export function firstError(query: string): Diagnostic | undefined {
  return queryProblems(query).find(({ severity }) => severity === 'error');
}
