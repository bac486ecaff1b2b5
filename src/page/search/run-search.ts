import { batch, effect, untracked } from '@preact/signals';
import { reconnectDelayMs } from '../../client/tail/reconnect-delay.ts';
import { pause } from '../../core/delay.ts';
import { isTransient } from '../../core/http/transient.ts';
import { type Query, queryResult, queryResults, type Result } from '../api/queries.ts';
import { ALL_TIME } from '../api/repository-facts.ts';
import type { Row } from '../api/rows.ts';
import { hasMessage, type LogRecord, toRecord } from '../records/log-record.ts';
import { repository, search, sourceOf, token } from '../state/page-state.ts';
import { addToHistory } from '../state/preferences.ts';
import * as results from '../state/results.ts';
import type { SearchState } from '../state/search-state.ts';
import { reportName, serviceUrl } from '../state/service.ts';
import { TailBuffer } from '../tail/tail-buffer.ts';
import { loadExtent, READS_INTERVAL } from './event-extent.ts';
import { reportFailure } from './failure.ts';
import { groupFields } from './group-fields.ts';
import { newEvents } from './new-events.ts';
import { fullQuery } from './query-text.ts';
import { interval, isRelative } from './time-range.ts';

const MAX_TAIL_RECORDS = 10_000;

const tail = new TailBuffer({
  maxRecords: MAX_TAIL_RECORDS,
  intervalMs: 100,
  show: (records) => {
    results.records.value = records;
    if (records.length === MAX_TAIL_RECORDS) results.hasOlder.value = true;
  },
  onWaiting: (count) => {
    results.waitingCount.value = count;
  },
});

/** Pauses the tail, or resumes it and shows the records that have arrived since. */
export function follow(isFollowing: boolean): void {
  if (results.isFollowing.value === isFollowing) return;
  results.isFollowing.value = isFollowing;
  tail.hold(!isFollowing);
}

/** Adds older records above the others. */
export function showOlder(records: readonly LogRecord[]): void {
  tail.prepend(records);
}

/** Whether the search shows new records as they arrive. */
export function isLive(state: SearchState): boolean {
  return reportName === undefined && state.isLive && isRelative(state);
}

/** Query options that all queries of a search share. */
export function searchInput(state: SearchState): Omit<Query, 'queryString'> {
  const { clearedAt, timeZone, start } = state;
  return {
    ...interval(state),
    // Records may be in the future, but a live search ends now.
    ...(start === 'all' && isRelative(state) && !isLive(state) ? { end: ALL_TIME.end } : {}),
    timeZone: timeZone || Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(clearedAt > 0 ? { ingestStart: clearedAt + 1, ingestEnd: 'now' } : {}),
  };
}

/** Options for the query of the search itself. Over all time, functions of the interval get that of the events. */
async function ownInput(state: SearchState, signal: AbortSignal): Promise<Query> {
  const query = { ...searchInput(state), queryString: fullQuery(state), isLive: isLive(state), signal };
  if (state.start !== 'all' || !READS_INTERVAL.test(query.queryString)) return query;
  const { start, end } = await loadExtent({ ...query, queryString: '', isLive: false });
  if (!query.isLive) return { ...query, start, end };
  // The interval of a live search moves with the time: a longer one keeps the first events for a while.
  return { ...query, start: `${Math.ceil(1.1 * Math.max(1000, Date.now() - start))}ms` };
}

let current = new AbortController();

/** Runs the same search again. */
export function searchAgain(): void {
  results.searchCount.value += 1;
}

/** Stops the running search: deletes its job and keeps the partial result. */
export function stopSearch(): void {
  if (results.activity.value !== 'searching') return;
  current.abort();
  results.activity.value = 'stopped';
}

/** Starts a search whenever the query, the time range or the filters change. */
export function startSearching(): void {
  let previous = '';
  effect(() => {
    const name = repository.value;
    const { query, filters, levels, start, end, timeZone, isLive: live, clearedAt } = search.value;
    const key = JSON.stringify([
      name,
      query,
      filters,
      levels,
      start,
      end,
      timeZone,
      live,
      clearedAt,
      token.value,
      results.searchCount.value,
    ]);
    if (key === previous || name === '') return;
    previous = key;
    current.abort();
    current = new AbortController();
    const { signal } = current;
    untracked(() => void run(name, search.value, signal));
  });
}

async function run(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  tail.stop();
  batch(() => {
    results.activity.value = 'searching';
    results.progress.value = undefined;
    results.isStale.value = true;
    results.arrivedCount.value = 0;
    results.problem.value = undefined;
    follow(true);
  });
  for (let attempt = 0; !signal.aborted; attempt++) {
    try {
      await runOnce(name, state, signal);
      return;
    } catch (error) {
      if (signal.aborted) return;
      reportFailure(error);
      // A server may only be restarting; retrying an invalid request is pointless.
      if (!isTransient(error)) return;
      await pause(reconnectDelayMs(attempt, error), signal);
    }
  }
}

async function runOnce(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  const live = isLive(state);
  const query = await ownInput(state, signal);
  let hasResult = false;
  for await (const result of queryResults(sourceOf(name), { ...query, onFailure: reportFailure })) {
    if (signal.aborted) return;
    results.progress.value = result.metadata.totalWork > 0 ? result.progress : undefined;
    if (!result.isDone) {
      if (result.events.length > 0 && !hasResult) showPart(result, state);
      continue;
    }
    showResult(result, state);
    if (!hasResult) addToHistory(state.query);
    hasResult = true;
    if (live && results.table.value === undefined) break;
  }
  if (signal.aborted) return;
  // On a service, the query would be expensive, and the start screen is not shown.
  if (results.facts.value?.matches === 0 && serviceUrl === undefined && reportName === undefined)
    await checkEmpty(name, signal);
  if (live && results.table.value === undefined) await followEvents(name, state, signal);
}

/** Checks whether the repository is empty if a search has no results. */
async function checkEmpty(name: string, signal: AbortSignal): Promise<void> {
  const query = { ...ALL_TIME, queryString: 'count()', signal };
  const { events } = await queryResult(sourceOf(name), query);
  if (!signal.aborted) results.isRepositoryEmpty.value = events[0]?._count === '0';
}

/** Shows new events as they arrive. */
async function followEvents(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  const known = new Set(results.records.value.map(({ id }) => id));
  const onState = (activity: results.Activity): void => {
    if (!signal.aborted) results.activity.value = activity;
  };
  for await (const row of newEvents(name, { queryString: fullQuery(state), signal, onState })) {
    if (signal.aborted) return;
    if (known.has(String(row['@id'])) || !isAfterClear(row, state)) continue;
    results.arrivedCount.value += 1;
    tail.add([toRecord(row)]);
  }
}

/** Shows a partial result. */
function showPart(result: Result, state: SearchState): void {
  batch(() => {
    showResult(result, state);
    results.activity.value = 'searching';
  });
}

/** Shows a complete result, or the current one of a live query. */
function showResult(result: Result, state: SearchState): void {
  const { events, metadata, warnings } = result;
  const { isAggregate, fieldOrder = [], extraData = {} } = metadata;
  // tail(), sort() and other aggregates return events, and select() returns rows without a message.
  const areEvents = isAggregate
    ? events.length > 0 && events.every(isEvent)
    : events.length === 0 || events.some(hasMessage);
  batch(() => {
    results.problem.value = undefined;
    results.isStale.value = false;
    results.isRepositoryEmpty.value = false;
    results.activity.value = isLive(state) ? 'live' : 'done';
    results.facts.value = {
      matches: metadata.processedEvents,
      timeMillis: metadata.timeMillis,
      start: metadata.queryStart,
      end: metadata.queryEnd,
      filterQuery: metadata.filterQuery?.queryString ?? '*',
      warnings: warnings.map(({ message }) => message),
    };
    if (areEvents) {
      const ordered = oldestFirst(events);
      results.isInGivenOrder.value = ordered === undefined;
      results.hasOlder.value = !isAggregate && events.length < metadata.processedEvents;
      tail.reset((ordered ?? events).map(toRecord));
      results.table.value = undefined;
    } else {
      const groupedBy = groupFields(state.query);
      results.table.value = { rows: events, fieldOrder, extraData, groupedBy };
      tail.reset([]);
    }
  });
}

function isEvent(row: Row): boolean {
  return row['@id'] !== undefined && row['@timestamp'] !== undefined;
}

/** The events, oldest first; `undefined` if the query sorted them differently. */
function oldestFirst(events: readonly Row[]): readonly Row[] | undefined {
  const times = events.map((row) => Number(row['@timestamp']));
  if (times.every((time, index) => index === 0 || time <= times[index - 1]!)) return events.toReversed();
  return times.every((time, index) => index === 0 || time >= times[index - 1]!) ? events : undefined;
}

function isAfterClear(row: Row, { clearedAt }: SearchState): boolean {
  return Number(row['@ingesttimestamp'] ?? Number.POSITIVE_INFINITY) > clearedAt;
}
