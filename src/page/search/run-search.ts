import { batch, computed } from '@preact/signals';
import { pause } from '../../core/delay.ts';
import { mayWriteId } from '../../core/event-order.ts';
import { resultNumbers } from '../../language/index.ts';
import { noMatchHints } from '../../language/no-match-hints.ts';
import { type Query, queryResult, queryResults, type Result } from '../api/queries.ts';
import { ALL_TIME } from '../api/repository-facts.ts';
import type { Row } from '../api/rows.ts';
import { serverNow } from '../api/server-clock.ts';
import { type LogRecord, messageField, toRecord } from '../records/log-record.ts';
import { forEachKey } from '../state/for-each-key.ts';
import { openedSearch, repository, search, set, sourceOf, token, update } from '../state/page-state.ts';
import { addToHistory } from '../state/preferences.ts';
import * as results from '../state/results.ts';
import type { SearchState } from '../state/search-state.ts';
import { reportName, serviceUrl } from '../state/service.ts';
import { TailBuffer } from '../tail/tail-buffer.ts';
import { loadExtent, READS_INTERVAL } from './event-extent.ts';
import { reportFailure, retried } from './failure.ts';
import { newEvents } from './new-events.ts';
import { groupFields } from './parsed-query.ts';
import { fullQuery, joinSteps } from './query-text.ts';
import { interval, isRelative } from './time-range.ts';

const MAX_TAIL_RECORDS = 10_000;
/** Shortest and longest pause of a live search, in milliseconds. The load on a service counts more than on this machine. */
const [REFRESH_MS, MAX_PAUSE_MS] = serviceUrl === undefined ? [2000, 10_000] : [10_000, 600_000];
const SHARE_OF_TIME = 10;

const tail = new TailBuffer({
  maxRecords: MAX_TAIL_RECORDS,
  intervalMs: 100,
  show: (records) => {
    results.records.value = records;
    if (records.length === MAX_TAIL_RECORDS) results.hasOlder.value = true;
  },
  onWaiting: (count) => set(results.waitingCount, count),
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

/** Whether new records are added to the list one by one, which needs their IDs. */
function isStreamed(state: SearchState): boolean {
  return state.isStreamed && !mayWriteId(fullQuery(state));
}

/** Whether the list grows, so that it has records after the interval that was searched first. */
export function isListLive(): boolean {
  return isLive(search.value) && results.table.value === undefined;
}

/** Loads a part of a search once, or repeatedly while the search is live. */
export async function keepLoading(load: () => Promise<void>, signal: AbortSignal): Promise<void> {
  let begun: number;
  do {
    begun = performance.now();
    await load();
  } while (await isDue(begun, signal));
}

/** Waits until a live search is worth loading again: longer if that took long. False once the search has ended or failed. */
async function isDue(begun: number, signal: AbortSignal): Promise<boolean> {
  const spent = performance.now() - begun;
  await pause(Math.min(MAX_PAUSE_MS, Math.max(REFRESH_MS, SHARE_OF_TIME * spent)), signal);
  while (document.hidden && !signal.aborted) await pause(REFRESH_MS, signal);
  return !signal.aborted && isLive(search.value) && results.activity.value !== 'failed';
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

/** Changes with everything that determines which events a search finds. */
export const searchKey = computed(() =>
  JSON.stringify([
    repository.value,
    fullQuery(search.value),
    searchInput(search.value),
    isLive(search.value),
    token.value,
    results.searchCount.value,
  ]),
);

/** Options for the query of the search itself. Over all time, functions of the interval get that of the events. */
async function ownInput(state: SearchState, signal: AbortSignal): Promise<Query> {
  const query = { ...searchInput(state), queryString: fullQuery(state), isLive: isLive(state), signal };
  if (state.start !== 'all' || !READS_INTERVAL.test(query.queryString)) return query;
  const { start, end } = await loadExtent({ ...query, queryString: '', isLive: false });
  if (!query.isLive) return { ...query, start, end };
  // The interval of a live search moves with the time: a longer one keeps the first events for a while.
  return { ...query, start: `${Math.ceil(1.1 * Math.max(1000, serverNow() - start))}ms` };
}

let abortCurrent = (): void => {};

/** Runs the same search again. */
export function searchAgain(): void {
  results.searchCount.value += 1;
}

/** Stops the running search: deletes its job and keeps the partial result. */
export function stopSearch(): void {
  if (results.activity.value !== 'searching') return;
  abortCurrent();
  results.activity.value = 'stopped';
}

/** Starts a search whenever the query, the time range or the filters change. */
export function startSearching(): void {
  abortCurrent = forEachKey(
    () => (repository.value === '' ? undefined : searchKey.value),
    (signal) => void run(repository.value, search.value, signal),
  );
}

async function run(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  tail.stop();
  batch(() => {
    results.activity.value = 'searching';
    results.progress.value = undefined;
    results.isStale.value = true;
    results.problem.value = undefined;
    results.firstHints.value = [];
    follow(true);
  });
  if (isStreamed(state)) void keepCurrent(name, state, signal);
  await retried(() => runOnce(name, state, signal), signal);
}

async function runOnce(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  const live = isLive(state);
  const query = await ownInput(state, signal);
  let hasResult = false;
  for await (const result of queryResults(sourceOf(name), { ...query, onFailure: reportFailure })) {
    if (signal.aborted) return;
    results.progress.value = result.metadata.totalWork > 0 ? result.progress : undefined;
    if (!result.isDone) {
      if (result.events.length > 0 && !hasResult) showResult(result, state);
      continue;
    }
    showResult(result, state);
    if (!hasResult) {
      addToHistory(state.query);
      await checkEmpty(name, state, signal);
    }
    hasResult = true;
    if (live && results.table.value === undefined) break;
  }
  if (signal.aborted) return;
  const { query: text, filters } = state;
  const isEmptyReport = reportName !== undefined && results.matches.value === 0;
  // A report of a test that waited for a record starts with the other records.
  if (isEmptyReport && state === openedSearch && !/^$|\|/.test(text))
    update({ query: '', filters: [...filters, { text, isOff: true }] }, { replaces: true });
  if (!live || results.table.value !== undefined) return;
  await (isStreamed(state) ? followEvents : keepCurrent)(name, state, signal);
}

/** Checks whether the repository is empty if a search has no results, and what else may be the reason. */
async function checkEmpty(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  // On a service, the query would be expensive, and the start screen is not shown.
  if (!results.findsNothing.value || serviceUrl !== undefined || reportName !== undefined) return;
  const { events } = await queryResult(sourceOf(name), { ...ALL_TIME, queryString: 'count()', signal });
  const all = await queryResult(sourceOf(name), { ...searchInput(state), queryString: '', signal });
  if (signal.aborted) return;
  results.isRepositoryEmpty.value = events[0]?._count === '0';
  if (all.events.length > 0) results.firstHints.value = noMatchHints(state.query, all.events, 'recent event');
}

/** Counts the matches of a live search again and again. If it isn't streamed, also shows the newest, unless paused. */
async function keepCurrent(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  const streams = isStreamed(state);
  for (let begun = performance.now(); await isDue(begun, signal); ) {
    begun = performance.now();
    if (!/live|reconnecting/.test(results.activity.value) || results.table.value !== undefined) continue;
    // The rows of a stream are in the list already.
    const queryString = joinSteps([fullQuery(state), streams ? 'count()' : '']);
    const query = { ...searchInput(state), queryString, signal };
    const result = await queryResult(sourceOf(name), query).catch((error: unknown) => {
      // The stream reports its own failures.
      if (!streams) throw error;
    });
    if (signal.aborted || result === undefined) continue;
    if (!streams && results.isFollowing.value) showResult(result, state);
    else showCount(result);
    if (streams || results.isFollowing.value || result.metadata.isAggregate) continue;
    const { value: records } = results.records;
    results.hasOlder.value = records.length < results.matches.value;
    // Files that overlap in time also have lines between those in the list.
    const start = (records[0]?.time ?? 0) + 1;
    const { metadata } = await queryResult(sourceOf(name), { ...query, start });
    const known = results.records.value.filter(({ time }) => time >= start).length;
    if (!results.isFollowing.value)
      results.waitingCount.value = Math.max(0, metadata.processedEvents - known);
  }
}

/** Shows new events as they arrive. */
async function followEvents(name: string, state: SearchState, signal: AbortSignal): Promise<void> {
  const known = new Set(results.records.value.map(({ id }) => id));
  const onState = (activity: results.Activity): void => {
    if (!signal.aborted) results.activity.value = activity;
  };
  for await (const row of newEvents(name, { queryString: fullQuery(state), signal, onState })) {
    if (signal.aborted) return;
    const arrival = Number(row['@ingesttimestamp'] ?? Number.POSITIVE_INFINITY);
    if (known.has(String(row['@id'])) || arrival <= state.clearedAt) continue;
    const record = toRecord(row);
    // There may be others between an older record and those in the list, which are loaded together.
    if (!results.hasOlder.value || record.time >= (results.records.value[0]?.time ?? 0)) tail.add([record]);
  }
}

function showCount({ metadata, warnings }: Result): void {
  results.matches.value = metadata.processedEvents;
  results.warnings.value = warnings.map(({ message }) => message);
  // Only local servers report it.
  results.readShare.value = (metadata as { readonly readShare?: number }).readShare;
}

/** Shows a complete or partial result, or the current one of a live query. */
function showResult(result: Result, state: SearchState): void {
  const { events, metadata } = result;
  const { isAggregate, fieldOrder = [], extraData = {} } = metadata;
  // tail(), sort() and other aggregates return events, and select() returns rows without a message.
  const areEvents = isAggregate
    ? events.length > 0 && events.every((row) => row['@id'] !== undefined && row['@timestamp'] !== undefined)
    : events.length === 0 || events.some((row) => row['@timestamp'] !== undefined && messageField(row));
  batch(() => {
    results.problem.value = undefined;
    results.isStale.value = false;
    results.isRepositoryEmpty.value &&= metadata.processedEvents === 0;
    results.activity.value = result.isDone ? (isLive(state) ? 'live' : 'done') : 'searching';
    showCount(result);
    results.facts.value = {
      timeMillis: metadata.timeMillis,
      start: metadata.queryStart,
      end: metadata.queryEnd,
      isAggregate,
      columns: isAggregate || !fieldOrder.includes('@rawstring') ? fieldOrder : [],
      filterQuery: metadata.filterQuery?.queryString ?? '*',
    };
    if (areEvents) {
      const ordered = oldestFirst(events);
      results.isInGivenOrder.value = ordered === undefined;
      results.hasOlder.value = !isAggregate && events.length < metadata.processedEvents;
      tail.reset(recordsOf(ordered ?? events, state));
      results.table.value = undefined;
    } else {
      const groupedBy = groupFields(state.query);
      const numbers = [...resultNumbers(fullQuery(state))];
      const isPart = !result.isDone || results.readShare.value !== undefined;
      results.table.value = { rows: events, fieldOrder, extraData, isPart, groupedBy, numbers };
      results.hasOlder.value = false;
      tail.reset([]);
    }
  });
}

function recordsOf(rows: readonly Row[], state: SearchState): readonly LogRecord[] {
  const all = rows.map(toRecord);
  if (!mayWriteId(fullQuery(state))) return all;
  return all.map((record, place) => ({ ...record, id: `${record.time}-${place}` }));
}

/** The events, oldest first; `undefined` if the query sorted them differently. */
function oldestFirst(events: readonly Row[]): readonly Row[] | undefined {
  const times = events.map((row) => Number(row['@timestamp']));
  if (times.every((time, index) => index === 0 || time <= times[index - 1]!)) return events.toReversed();
  return times.every((time, index) => index === 0 || time >= times[index - 1]!) ? events : undefined;
}
