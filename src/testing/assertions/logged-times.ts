import { inspect } from 'node:util';
import { LogOptionsException } from '../../core/errors.ts';
import { refuseUnknownOptions } from '../../core/option-checks.ts';
import type { LogEvent } from '../../index.ts';
import { expectationLine, expectationText, type ResolvedExpectation } from '../expectations/expectation.ts';
import { type AssertionOptions, isOfEvents } from '../log-source.ts';
import type { Paint } from '../report/paint.ts';
import { headed, matchingLines, nearest } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** An exact number of records, or a range; both ends are inclusive. */
export type Times =
  | number
  | { readonly min: number; readonly max?: number | undefined }
  | { readonly min?: number | undefined; readonly max: number };

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** @throws LogOptionsException unless it is an integer, or a range that excludes some number */
export function requireTimes(owner: string, times: Times, least = 0): Range {
  const isRange = typeof times === 'object' && times !== null;
  if (isRange) refuseUnknownOptions(`"times" of ${owner}`, times, ['min', 'max']);
  const { min = 0, max = Number.POSITIVE_INFINITY } = isRange ? times : { min: times, max: times };
  const isBounded = min > 0 || max < Number.POSITIVE_INFINITY;
  const isWhole = [min, max].every((end) => Number.isInteger(end) || end === Number.POSITIVE_INFINITY);
  if (isBounded && isWhole && min >= least && min <= max && min < Number.POSITIVE_INFINITY)
    return { min, max };
  throw new LogOptionsException(
    `${owner}: "times" must be a whole number of at least ${least}, or a range { min, max } ${least === 0 ? '' : 'above 0 '}(got ${inspect(times)}).`,
  );
}

/**
 * Whether the number of matching records is within the range. Without one, whether any record matches; a query may then
 * have an aggregate: `groupBy(user) | _count > 3`.
 *
 * @throws LogOptionsException if the query is invalid, if it returns rows even without records, or for a range if its rows
 *   are not records
 */
export async function loggedTimes(
  context: AssertionContext,
  expectation: ResolvedExpectation,
  range: Range | undefined,
  options: AssertionOptions,
): Promise<Verdict> {
  const { source, isNot, paint } = context;
  const { min, max } = range ?? { min: 1, max: Number.POSITIVE_INFINITY };
  const matches = await source.find(expectation, options);
  const count = matches.length;
  if (range === undefined) await source.requireInput(matches, expectation, options);
  else requireEvents(matches, 'Counting', expectation);
  return {
    pass: count >= min && count <= max,
    expectation,
    searched: count > max || (count >= min && max === Number.POSITIVE_INFINITY) ? undefined : options,
    explain: async () => {
      const heading = headingText(range, isNot, count, paint);
      return headed(`${heading}: ${paint.expected(expectationLine(expectation, source.mask))}`, [
        ...matchingLines(matches, source.mask),
        ...(count > 0 ? [''] : []),
        ...(count < min ? await nearest(context, expectation, options, matches) : []),
      ]);
    },
  };
}

function headingText(range: Range | undefined, isNot: boolean, count: number, paint: Paint): string {
  if (range === undefined) return isNot ? `Expected no matching record, found ${count}` : 'No record matches';
  if (isNot) return `Expected any number of matching records except ${rangeText(range)}`;
  const noun = range.max === 1 ? 'record' : 'records';
  return `Expected ${rangeText(range)} matching ${noun}, found ${paint.wrong(String(count))}`;
}

function rangeText({ min, max }: Range): string {
  if (min === max) return String(min);
  if (max === Number.POSITIVE_INFINITY) return `at least ${min}`;
  return min === 0 ? `at most ${max}` : `${min} to ${max}`;
}

/** @throws LogOptionsException for rows that a query has created. */
export function requireEvents(rows: readonly LogEvent[], what: string, query: ResolvedExpectation): void {
  if (isOfEvents(rows)) return;
  throw new LogOptionsException(
    `${what} needs records, but this query returns rows without "@id": ${expectationText(query)}\nUse a query that only filters, or check the rows of client.query().`,
  );
}
