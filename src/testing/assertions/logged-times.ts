import { LogOptionsException } from '../../errors.ts';
import { describe } from '../../internal/option-checks.ts';
import { expectationText, type ResolvedExpectation } from '../expectations/expectation.ts';
import { type AssertionOptions, isOfEvents } from './log-source.ts';
import { matchingLines, nearest } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** @throws LogOptionsException unless it is a whole number that can be counted to. */
export function requireTimes(owner: string, times: unknown): number {
  if (typeof times === 'number' && Number.isInteger(times) && times >= 0) return times;
  throw new LogOptionsException(
    `${owner}: "times" must be a whole number of at least 0 (got ${describe(times)}).`,
  );
}

/**
 * Whether exactly so many records are like that.
 *
 * @throws LogOptionsException for a query that can't be run, or whose rows are not records.
 */
export async function loggedTimes(
  context: AssertionContext,
  expectation: ResolvedExpectation,
  times: number,
  options: AssertionOptions,
): Promise<Verdict> {
  const { source, isNot, paint } = context;
  const found = await source.find(expectation, options);
  if (expectation.kind === 'query') requireEvents(found, 'Counting', expectation.queryString);
  const wanted = `  ${paint.expected(expectationText(expectation))}`;
  const heading = isNot
    ? `Expected any number of matching records except ${times}:`
    : `Expected ${times} matching ${times === 1 ? 'record' : 'records'}, found ${paint.wrong(String(found.length))}:`;
  return {
    pass: found.length === times,
    isFinal: found.length > times,
    explain: async () => [
      heading,
      wanted,
      '',
      ...matchingLines(found),
      ...(found.length > 0 ? [''] : []),
      ...(found.length < times ? await nearest(context, expectation, options, found) : []),
    ],
  };
}

/** @throws LogOptionsException for rows that a query has made itself. */
export function requireEvents(
  rows: Parameters<typeof isOfEvents>[0],
  what: string,
  queryString: string,
): void {
  if (isOfEvents(rows)) return;
  throw new LogOptionsException(
    `${what} needs records, but this query returns rows without "@id": ${queryString}\nUse a query that only filters, or check the rows of client.query().`,
  );
}
