import type { LogEvent } from '../../core/wire/query.ts';
import { parse, type StepNode } from '../../language/index.ts';
import { LineQuery, type LineQueryOptions } from '../../server/line-query/index.ts';
import { NO_EVENT_PASSES } from './no-match.ts';

/** Runs a query on lines of text. */
export async function rowsOf(query: LineQuery, lines: readonly string[]): Promise<readonly LogEvent[]> {
  const rows: LogEvent[] = [];
  for await (const batch of query.run(lines.map((line) => `${line}\n`)))
    for (const row of batch) rows.push(row);
  return rows;
}

/** The steps of a query, with the operands of `and` as steps of their own, as `explain:asTable()` shows them. */
export function stepsOf(query: string): readonly StepNode[] {
  return parse(query).steps.flatMap((step): readonly StepNode[] =>
    step.kind === 'And' ? step.operands : [step],
  );
}

/**
 * Runs a query, and counts the events that go into and out of each step. `at` is where the step starts in the query. The
 * steps of correlate() can't be counted.
 */
export async function stepCounts(query: string, lines: readonly string[], options: LineQueryOptions) {
  const steps = stepsOf(query);
  if (steps.some((step) => step.kind === 'Call' && /^correlate$/i.test(step.name))) return [];
  // A comment can end the query.
  const rows = await rowsOf(new LineQuery(`${query}\n| explain:asTable()`, options), lines);
  return rows.map(({ step, eventsIn, eventsOut }, index) => ({
    at: (steps.length === rows.length ? steps[index]?.span.start : undefined) ?? 0,
    text: String(step),
    eventsIn: Number(eventsIn),
    eventsOut: Number(eventsOut),
  }));
}

/** The first step that no event passes. */
export async function lostEvents(
  query: string,
  lines: readonly string[],
  options: LineQueryOptions,
): Promise<{ readonly at: number; readonly message: string } | undefined> {
  if (lines.length === 0) return undefined;
  const counts = await stepCounts(query, lines, options);
  const lost = counts.find(({ eventsIn, eventsOut }) => eventsIn > 0 && eventsOut === 0);
  return lost && { at: lost.at, message: `${NO_EVENT_PASSES} ${lost.text}` };
}
