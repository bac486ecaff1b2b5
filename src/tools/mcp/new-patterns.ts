import { DAY_MS } from '../../core/epoch.ts';
import type { Row } from '../output/row-format.ts';
import type { Answer } from './answer.ts';
import type { EventSearch } from './arguments.ts';
import type { Logs } from './log-source.ts';
import { findPatterns, newestRef, showPatterns } from './patterns.ts';
import { LEVEL_AND_SERVICE, MESSAGE_PATTERN, withSteps } from './record-steps.ts';
import type { CallLogs } from './tool.ts';

const MAX_DAYS_BEFORE = 7;
const MAX_PATTERNS = 1_000;
const MAX_REFS = 20;

export interface NewPatternSearch extends Omit<EventSearch, 'range'> {
  /** Of the first and the last event of the range, in epoch milliseconds. */
  readonly first: number;
  readonly last: number;
}

/** The messages of a range that did not occur in the time before it: in as much time, but at least a day. */
export async function findNewPatterns(logs: Logs, { filter, first, last, signal }: NewPatternSearch) {
  const days = Math.min(MAX_DAYS_BEFORE, Math.max(1, Math.ceil((last - first) / DAY_MS)));
  const query = withSteps(
    filter,
    LEVEL_AND_SERVICE,
    MESSAGE_PATTERN,
    'groupBy([_service, _pattern], function=count(), limit=max)',
  );
  // The end of a time range belongs to it.
  const range = { start: Math.max(0, first - days * DAY_MS), end: first - 1 };
  const [before, all] = await Promise.all([
    logs.client.query<Row>(query, { ...range, signal }),
    findPatterns(logs, {
      filter,
      range: { start: first, end: last + 1 },
      limit: MAX_PATTERNS,
      order: '_first',
      signal,
    }),
  ]);
  const known = new Set(before.map(keyOf));
  return {
    patterns: all.filter((row) => !known.has(keyOf(row))),
    /** How far back the earlier events were searched; `undefined` if there are none. */
    daysBefore: before.length === 0 ? undefined : days,
  };
}

/**
 * Adds the new messages to a response: those that it already has by their refs, the others as a table.
 *
 * @param shown patterns that the response already has
 * @param firstError when the first error occurred. The messages just before it are listed first
 */
export function showNewPatterns(
  answer: Answer,
  logs: CallLogs,
  { patterns, daysBefore }: Awaited<ReturnType<typeof findNewPatterns>>,
  shown: readonly Row[],
  firstError: number | undefined,
): void {
  const known = new Map(shown.map((row) => [keyOf(row), row]));
  const unshown = patterns.filter((row) => !known.has(keyOf(row)));
  // Those before the first error, nearest first, then those after it. Without an error, newest first.
  const isBefore = ({ _first }: Row) => firstError !== undefined && Number(_first) <= firstError;
  const after = unshown.filter((row) => !isBefore(row));
  const others = [...unshown.filter(isBefore), ...(firstError === undefined ? after : after.reverse())];
  // Without earlier events, every message is new.
  const repeated = daysBefore === undefined ? [] : patterns.filter((row) => known.has(keyOf(row)));
  if (others.length + repeated.length === 0) return;
  const names = repeated.slice(0, MAX_REFS).map((row) => newestRef(logs, known.get(keyOf(row))!));
  const more = repeated.length > names.length ? ` and ${repeated.length - names.length} more` : '';
  const when =
    daysBefore === undefined ? 'there are no earlier events' : `not in the ${daysBefore * 24} h before`;
  const order = firstError === undefined ? 'newest' : 'just before the first error';
  const title = `messages first seen in this range, ${when}`;
  if (names.length > 0) answer.log(`${title}: ${names.join(', ')}${more}`);
  if (others.length === 0) return;
  answer.log(names.length > 0 ? `and, ${order} first:` : `${title}; ${order} first:`);
  showPatterns(answer, logs, others);
}

function keyOf({ _service, _pattern }: Row): string {
  return JSON.stringify([_service, _pattern]);
}
