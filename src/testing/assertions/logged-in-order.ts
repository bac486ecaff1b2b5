import type { LogEvent } from '../../index.ts';
import { expectationLine, type ResolvedExpectation } from '../expectations/expectation.ts';
import type { AssertionOptions } from '../log-source.ts';
import { logLine } from '../report/log-line.ts';
import { requireEvents } from './logged-times.ts';
import { headed, nearest } from './seen-lines.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

interface Step {
  readonly expectation: ResolvedExpectation;
  /** Indices of the matching records among all records. */
  readonly places: readonly number[];
}

/**
 * Whether records match in this order; others may be in between. In a millisecond, the order is that of the log calls.
 *
 * @throws LogOptionsException for an invalid query, or one whose rows are not records.
 */
export async function loggedInOrder(
  context: AssertionContext,
  expectations: readonly ResolvedExpectation[],
  options: AssertionOptions = {},
): Promise<Verdict> {
  const { source, isNot } = context;
  const rowsOfEach = await Promise.all(expectations.map((expectation) => source.find(expectation, options)));
  const records = await source.records(options);
  const placeOf = new Map(records.map((record, place) => [record['@id'], place]));
  const steps = expectations.map((expectation, index): Step => {
    const rows = rowsOfEach[index]!;
    requireEvents(rows, 'Checking the order', expectation);
    return { expectation, places: rows.map((row) => placeOf.get(row['@id'])!) };
  });
  // The earliest index for each step after the previous one, up to the first step without a match.
  const chosen: number[] = [];
  for (const { places } of steps) {
    const place = places.find((candidate) => candidate > (chosen.at(-1) ?? -1));
    if (place === undefined) break;
    chosen.push(place);
  }
  const failed = steps[chosen.length];
  const explain = async (): Promise<string[]> =>
    headed(isNot ? 'Expected records not to match in this order' : 'No records match in this order', [
      ...steps.flatMap((step, index) => stepLines(context, step, index, chosen, records)),
      ...(failed?.places.length === 0 ? ['', ...(await nearest(context, failed.expectation, options))] : []),
    ]);
  const expectation = failed?.expectation ?? expectations.at(-1);
  return { pass: failed === undefined, expectation, searched: failed && options, explain };
}

function stepLines(
  { paint, source: { mask } }: AssertionContext,
  { expectation, places }: Step,
  index: number,
  chosen: readonly number[],
  records: readonly LogEvent[],
): string[] {
  const text = `${index + 1}. ${paint.expected(expectationLine(expectation, mask))}`;
  const place = chosen[index];
  if (place !== undefined) return [`  ✓ ${text}`, `       ${logLine(mask.record(records[place]!))}`];
  if (index > chosen.length) return [`    ${text}`];
  const earlier = places.at(-1);
  const reason = earlier === undefined ? 'no record matches' : 'no match after that one; only earlier ones:';
  const shown = earlier === undefined ? [] : [`       ${logLine(mask.record(records[earlier]!))}`];
  return [`  ${paint.wrong('✗')} ${text}`, `       ${paint.wrong(reason)}`, ...shown];
}
