import { expectationLine, type ResolvedExpectation } from '../expectations/expectation.ts';
import type { AssertionOptions } from '../log-source.ts';
import { headed, matchingLines, nearest } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/**
 * Whether any record matches. A query may have an aggregate: `groupBy(user) | _count > 3`.
 *
 * @throws LogOptionsException for an invalid query, or one that returns rows even without records.
 */
export async function hasLogged(
  context: AssertionContext,
  expectation: ResolvedExpectation,
  options: AssertionOptions,
): Promise<Verdict> {
  const { source, isNot, paint } = context;
  const rows = await source.find(expectation, options);
  const expected = paint.expected(expectationLine(expectation, source.mask));
  if (expectation.kind === 'query') await source.requireInput(rows, expectation.queryString, options);
  return {
    pass: rows.length > 0,
    expectation,
    searched: rows.length > 0 ? undefined : options,
    explain: async () =>
      headed(
        `${isNot ? `Expected no matching record, found ${rows.length}` : 'No record matches'}: ${expected}`,
        isNot ? matchingLines(rows, source.mask) : await nearest(context, expectation, options),
      ),
  };
}
