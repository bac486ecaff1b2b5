import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { withoutLastFilter } from '../expectations/query-term.ts';
import { logLine } from '../report/log-line.ts';
import { nearestLines } from '../report/nearest-lines.ts';
import { type AssertionOptions, isOfEvents } from './log-source.ts';
import type { AssertionContext } from './verdict.ts';

const SHOWN_MATCHES = 10;

/** Records that an expectation fits, the first ones. */
export function matchingLines(found: readonly LogEvent[]): string[] {
  const lines = found.slice(0, SHOWN_MATCHES).map((record) => `  ${logLine(record)}`);
  const more = found.length - lines.length;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

/** Records that an expectation does not fit, the nearest ones, below a heading; or why there are none. */
export async function nearest(
  context: AssertionContext,
  expectation: ResolvedExpectation,
  options: AssertionOptions,
  found: readonly LogEvent[] = [],
): Promise<string[]> {
  const { source, paint, hints } = context;
  const { arguments: _, ...interval } = options;
  const all = await source.records(interval);
  if (all.length === 0) return ['Nothing was logged.', ...hints()];
  const ids = new Set(found.map((record) => record['@id']));
  const others = all.filter((record) => !ids.has(record['@id']));
  if (others.length === 0) return [];
  const kind = found.length === 0 ? '' : 'other ';
  const heading =
    others.length === 1 ? `The only ${kind}record:` : `Closest of ${others.length} ${kind}records:`;
  return [heading, ...(await nearestLines(source, others, expectation, options, paint))];
}

/** What a query such as `groupBy(user) | _count > 3` gives before its last step leaves nothing of that. */
export async function rowsBeforeLastFilter(
  { source }: AssertionContext,
  expectation: ResolvedExpectation,
  options: AssertionOptions,
): Promise<string[]> {
  const shorter = expectation.kind === 'query' ? withoutLastFilter(expectation.queryString) : undefined;
  if (shorter === undefined) return [];
  const rows = await source.find({ kind: 'query', queryString: shorter }, options);
  if (rows.length === 0 || isOfEvents(rows)) return [];
  return ['Without its last step, the query returns:', ...matchingLines(rows), ''];
}
