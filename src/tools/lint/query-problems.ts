import { applyEdit, check, type Diagnostic, type Span } from '../../language/index.ts';
import { refusalOf } from '../../server/line-query/query-refusal.ts';

/**
 * The problems of a query: those that `check` finds and, if it finds no error, what the engine refuses. A fix that the
 * engine refuses is not offered.
 *
 * @param unknownParts parts that stand for something unknown; a query with such parts is not compiled
 */
export function queryProblems(query: string, unknownParts: readonly Span[] = []): readonly Diagnostic[] {
  const found = check(query, { unknownParts });
  if (unknownParts.length > 0) return found;
  const offered = found.map((one) => {
    const { fix, ...problem } = one;
    return fix !== undefined && refusalOf(applyEdit(query, fix)) !== undefined ? problem : one;
  });
  const refusal = found.some(({ severity }) => severity === 'error') ? undefined : refusalOf(query);
  if (refusal === undefined) return offered;
  const { message, span, line, column } = refusal;
  const problem = message.replace(` (line ${line}, column ${column})`, '.');
  return [...offered, { code: 'not-compiled', severity: 'error', message: problem, span }];
}
