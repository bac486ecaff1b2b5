import type { Query } from '../api/queries.ts';
import { serverNow } from '../api/server-clock.ts';
import { searchResult } from '../state/page-state.ts';
import { extent, type Interval } from '../state/results.ts';
import { joinSteps } from './query-text.ts';

/** Functions and arguments whose result depends on the searched interval, and saved queries, which may use them. */
export const READS_INTERVAL = /\$["\w]|\b(?:timechart|bucket|window|start|end)\s*[(=]/i;

/** Loads the time from the first to the last event that a query finds; without events, the current time. */
export async function loadExtent(query: Query): Promise<Interval> {
  const queryString = joinSteps([query.queryString, '[min(@timestamp, as=first), max(@timestamp, as=last)]']);
  const { events } = await searchResult({ ...query, queryString });
  const [first, last] = [Number(events[0]?.first), Number(events[0]?.last)];
  const isKnown = Number.isFinite(first) && Number.isFinite(last);
  extent.value = isKnown ? { start: first, end: last + 1 } : { start: serverNow() - 1, end: serverNow() };
  return extent.value;
}
