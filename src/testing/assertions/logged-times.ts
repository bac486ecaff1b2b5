import { inspect } from 'node:util';
import { LogOptionsException } from '../../core/errors.ts';
import { refuseUnknownOptions } from '../../core/option-checks.ts';
import type { LogEvent } from '../../index.ts';
import { expectationLine, type ResolvedExpectation } from '../expectations/expectation.ts';
import { type AssertionOptions, isOfEvents } from '../log-source.ts';
import { headed, matchingLines, nearest } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** An exact number of records, or a range; both ends are inclusive. */
export type Times = number | { readonly min?: number | undefined; readonly max?: number | undefined };

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** @throws LogOptionsException unless it is an integer, or a range that excludes some number */
export function requireTimes(owner: string, times: Times): Range {
  const isRange = typeof times === 'object' && times !== null;
  if (isRange) refuseUnknownOptions(`"times" of ${owner}`, times, ['min', 'max']);
  const { min = 0, max = Number.POSITIVE_INFINITY } = isRange ? times : { min: times, max: times };
  const isBounded = min > 0 || max < Number.POSITIVE_INFINITY;
  const isWhole = [min, max].every((end) => Number.isInteger(end) || end === Number.POSITIVE_INFINITY);
  if (isBounded && isWhole && min >= 0 && min <= max && min < Number.POSITIVE_INFINITY) return { min, max };
  throw new LogOptionsException(
    `${owner}: "times" must be a whole number of at least 0, or a range { min, max } (got ${inspect(times)}).`,
  );
}

/**
 * Whether the number of matching records is within the range.
 *
 * @throws LogOptionsException if the query is invalid, or if its rows are not records
 */
export async function loggedTimes(
  context: AssertionContext,
  expectation: ResolvedExpectation,
  range: Range,
  options: AssertionOptions,
): Promise<Verdict> {
  const { source, isNot, paint } = context;
  const matches = await source.find(expectation, options);
  if (expectation.kind === 'query') requireEvents(matches, 'Counting', expectation.queryString);
  const heading = isNot
    ? `Expected any number of matching records except ${rangeText(range)}`
    : `Expected ${rangeText(range)} matching ${range.max === 1 ? 'record' : 'records'}, found ${paint.wrong(String(matches.length))}`;
  return {
    pass: matches.length >= range.min && matches.length <= range.max,
    expectation,
    searched: matches.length > 0 && range.max === Number.POSITIVE_INFINITY ? undefined : options,
    isFinal: matches.length > range.max,
    explain: async () =>
      headed(`${heading}: ${paint.expected(expectationLine(expectation, source.mask))}`, [
        ...matchingLines(matches, source.mask),
        ...(matches.length > 0 ? [''] : []),
        ...(matches.length < range.min ? await nearest(context, expectation, options, matches) : []),
      ]),
  };
}

function rangeText({ min, max }: Range): string {
  if (min === max) return String(min);
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

/** @throws LogOptionsException for rows that a query has created. */
export function requireEvents(rows: readonly LogEvent[], what: string, queryString: string): void {
  if (isOfEvents(rows)) return;
  throw new LogOptionsException(
    `${what} needs records, but this query returns rows without "@id": ${queryString}\nUse a query that only filters, or check the rows of client.query().`,
  );
}
