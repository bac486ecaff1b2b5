import { queryResult } from '../api/query-jobs.ts';
import { toRecord } from '../records/log-record.ts';
import { http, repository, search } from '../state/page-state.ts';
import * as results from '../state/results.ts';
import { fullQuery } from './query-text.ts';
import { searchInput } from './run-search.ts';

/** Events per request: a result of the service has no more. */
const PAGE = 200;

let isLoading = false;

/** Adds the events before the oldest one, until there are none. Live searches keep what they have. */
export async function loadOlder(): Promise<void> {
  const { activity, facts, records, searchCount } = results;
  const oldest = records.value[0];
  if (isLoading || activity.value !== 'done' || oldest === undefined || facts.value === undefined) return;
  if (facts.value.isAggregate || records.value.length >= facts.value.matches) return;
  isLoading = true;
  const [asked, before] = [searchCount.value, records.value];
  const { start, end } = facts.value;
  const around = {
    eventId: oldest.id,
    timestamp: oldest.time,
    numberOfEventsBefore: PAGE,
    numberOfEventsAfter: 0,
  };
  const input = { ...searchInput(search.value), queryString: fullQuery(search.value), start, end, around };
  try {
    const { events } = await queryResult(http, repository.value, input, new AbortController().signal);
    if (records.value !== before || searchCount.value !== asked) return;
    const known = new Set(before.map(({ id }) => id));
    const added = events.map(toRecord).filter(({ id }) => !known.has(id));
    records.value = [...added.toReversed(), ...before];
    // Nothing more to find, whatever the count says.
    if (added.length === 0) facts.value = { ...facts.value, matches: before.length };
  } catch {
    // The reader can scroll again.
  } finally {
    isLoading = false;
  }
}
