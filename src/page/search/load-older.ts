import { mayWriteId } from '../../core/event-order.ts';
import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import { around, toRecord } from '../records/log-record.ts';
import { search, searchResult } from '../state/page-state.ts';
import { facts, hasOlder, records, searchCount } from '../state/results.ts';
import { fullQuery } from './query-text.ts';
import { isLive, searchInput, showOlder } from './run-search.ts';

let isLoading = false;

/** Loads the events before the oldest one. */
export async function loadOlder(): Promise<void> {
  const oldest = records.value[0];
  if (isLoading || !hasOlder.value || oldest === undefined || facts.value === undefined) return;
  const state = search.value;
  if (mayWriteId(fullQuery(state))) return;
  isLoading = true;
  const [count, result] = [searchCount.value, facts.value];
  const { start, end } = result;
  const interval = isLive(state) ? { start } : { start, end };
  const query = { ...searchInput(state), ...interval, queryString: fullQuery(state) };
  try {
    const { events } = await searchResult({ ...query, around: around(oldest, PAGE_EVENTS, 0) });
    // Another search has started, or the tail has dropped the oldest records.
    if (facts.value !== result || searchCount.value !== count || records.value[0] !== oldest) return;
    const known = new Set(records.value.map(({ id }) => id));
    const added = events.map(toRecord).filter(({ id }) => !known.has(id));
    showOlder(added.toReversed());
    hasOlder.value = added.length > 0;
  } catch {
    // Scrolling again retries.
  } finally {
    isLoading = false;
  }
}
