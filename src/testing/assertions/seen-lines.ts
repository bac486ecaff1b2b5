import type { LogEvent } from '../../index.ts';
import type { ResolvedExpectation } from '../expectations/expectation.ts';
import { withoutLastFilter } from '../expectations/query-term.ts';
import { type AssertionOptions, isOfEvents } from '../log-source.ts';
import { fakeTimers, levelsText, lost, type TestedLogger, undelivered } from '../loggers/capture-delivery.ts';
import { logLine } from '../report/log-line.ts';
import { nearestLines } from '../report/nearest-lines.ts';
import type { ReportMask } from '../report/report-mask.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

const SHOWN_MATCHES = 10;

const NOT_CAPTURED =
  'No logger is captured: call logs.capture(logger). If your logger ships to this server itself, call logs.track(logger). A child process needs env: { ...process.env, ...logs.env }.';

const OTHER = 'Check that the code uses this instance, and logs after capture() or track().';

/** Adds a heading that ends with the first difference or record, because runners show only one line in summaries. */
export function headed(heading: string, lines: readonly string[]): string[] {
  const first = /.*✗.*(?:\n.*✗.*)*/.exec(lines.join('\n'))?.[0] ?? lines[0] ?? '';
  return [`${heading} (${first.trim().replace(/\n\s*/g, ' ')})`, '', ...lines];
}

/** Passes if nothing was found. */
export function noneOf(headline: string, found: readonly string[], advice: string): Verdict {
  const lines = [...found.map((line) => `  ${line}`), '', advice];
  return {
    pass: found.length === 0,
    searched: found.length === 0 ? {} : undefined,
    explain: () =>
      found.length === 0 ? [headline.replace('no ', '').replace(':', ' none.')] : headed(headline, lines),
  };
}

/** The first records that match an expectation. */
export function matchingLines(matches: readonly LogEvent[], mask: ReportMask): string[] {
  const lines = matches.slice(0, SHOWN_MATCHES).map((record) => `  ${logLine(mask.record(record))}`);
  const more = matches.length - lines.length;
  return more > 0 ? [...lines, `  … and ${more} more`] : lines;
}

/** The rows before the last filter of a query, then the closest records that don't match; or why there are none. */
export async function nearest(
  context: Pick<AssertionContext, 'source' | 'paint' | 'loggers'>,
  expectation: ResolvedExpectation,
  options: AssertionOptions,
  matches: readonly LogEvent[] = [],
): Promise<string[]> {
  const { source, loggers } = context;
  const shorter = expectation.kind === 'query' ? withoutLastFilter(expectation.queryString) : undefined;
  const earlier = shorter && (await source.find({ kind: 'query', queryString: shorter }, options));
  const rows: string[] = [];
  if (earlier && !isOfEvents(earlier))
    rows.push('Without its last step, the query returns:', ...matchingLines(earlier, source.mask), '');
  const all = await source.records(options);
  if (all.length === 0) {
    const { start, end } = options;
    const { length } = await source.records({});
    const range = `No record is in the time range ${JSON.stringify({ start, end })}, ${length} outside of it.`;
    return [...rows, ...(length > 0 ? [range] : absence(loggers))];
  }
  const ids = new Set(matches.map((record) => record['@id']));
  const others = all.filter((record) => !ids.has(record['@id']));
  if (others.length === 0) return rows;
  const kind = matches.length === 0 ? '' : 'other ';
  const heading =
    others.length === 1 ? `The only ${kind}record:` : `Closest of ${others.length} ${kind}records:`;
  return [...rows, heading, ...(await nearestLines(context, others, expectation, options)), ...lost(loggers)];
}

/** Says that there are no records, and why that may be. */
function absence(loggers: readonly TestedLogger[]): string[] {
  if (undelivered(loggers).length > 0) return ['No record has arrived.'];
  const reasons = lost(loggers);
  if (reasons.length > 0) return ['Nothing was logged.', ...reasons];
  const levels = loggers.flatMap((logger) => logger.levels(new Set()) ?? { level: 'any level' });
  const advice = loggers.length === 0 ? [NOT_CAPTURED] : [levelsText(levels), OTHER];
  return ['Nothing was logged.', ...advice, ...fakeTimers()];
}
