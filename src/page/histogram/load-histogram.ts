import { effect, signal } from '@preact/signals';
import { pause } from '../../core/delay.ts';
import { levelName } from '../../core/records/severity.ts';
import { queryResult } from '../api/queries.ts';
import { levelFields, sampleOfResult } from '../search/field-sample.ts';
import { fullQuery, joinSteps, quoteField } from '../search/query-text.ts';
import { isLive, searchInput } from '../search/run-search.ts';
import { repository, search, sourceOf, token } from '../state/page-state.ts';
import { activity, facts, searchCount, table } from '../state/results.ts';
import { INITIAL_STATE } from '../state/search-state.ts';
import { serviceUrl } from '../state/service.ts';
import { bucketSpan, type Histogram, readHistogram } from './buckets.ts';

export const histogram = signal<Histogram | undefined>(undefined);
/** Number of records of each level, regardless of the selected levels. */
export const levelCounts = signal<readonly (readonly [string, number])[]>([]);

/** Whether the counts are still from an earlier search. */
export const isHistogramStale = signal(false);

const MAX_BUCKETS = 90;
const MAX_SERIES = 12;
/** Refresh interval of a live search, in milliseconds. It is longer if counting takes long. */
const REFRESH_MS = serviceUrl === undefined ? 2000 : 10_000;
const SHARE_OF_TIME = 10;

/** Loads the histogram of each search, and refreshes that of a live search. */
export function startHistogram(): void {
  let previous = '';
  let current = new AbortController();
  effect(() => {
    const repositoryFacts = facts.value;
    const state = search.value;
    const key = JSON.stringify([
      repository.value,
      searchInput(state),
      fullQuery(state),
      state.series,
      state.isLive,
      token.value,
      searchCount.value,
    ]);
    const { value: now } = activity;
    if (repositoryFacts === undefined || key === previous) return;
    // The search has priority, and stopping it also stops these jobs.
    current.abort();
    isHistogramStale.value = true;
    // The next search may be the same as the one before this.
    previous = now === 'searching' ? '' : key;
    if (now === 'searching') return;
    if (now === 'stopped') return clear();
    current = new AbortController();
    void keepLoading(current.signal);
  });
}

async function keepLoading(signal: AbortSignal): Promise<void> {
  do {
    const begun = performance.now();
    await load(signal).catch(() => {
      // Counts of another search would be misleading.
      if (!signal.aborted) clear();
    });
    const spent = performance.now() - begun;
    await pause(Math.max(REFRESH_MS, SHARE_OF_TIME * spent), signal);
    while (document.hidden && !signal.aborted) await pause(REFRESH_MS, signal);
  } while (!signal.aborted && isLive(search.value));
}

function clear(): void {
  isHistogramStale.value = false;
  histogram.value = undefined;
  levelCounts.value = [];
}

async function load(signal: AbortSignal): Promise<void> {
  const state = search.value;
  const input = searchInput(state);
  // An aggregate counts the events that it reads.
  const part = table.value === undefined ? fullQuery(state) : (facts.value?.filterQuery ?? '');
  const { start, end } = await extent(part, signal);
  await sampleOfResult();
  const spanMs = bucketSpan(start, end, MAX_BUCKETS);
  const isByLevel = state.series === INITIAL_STATE.series;
  const [steps, field] = isByLevel ? levelSteps() : ['', state.series];
  const chart = `timeChart(${quoteField(field)}, span=${spanMs}ms, limit=${MAX_SERIES})`;
  const bounds = state.start === 'all' ? { start, end: end + 1 } : {};
  const rows = await queryResult(sourceOf(repository.value), {
    ...input,
    ...bounds,
    queryString: joinSteps([part, steps, chart]),
    signal,
  });
  if (signal.aborted) return;
  isHistogramStale.value = false;
  histogram.value = readHistogram(rows.events, field, spanMs, isByLevel ? levelName : String);
  if (isByLevel && state.levels.length === 0) {
    levelCounts.value = [...histogram.value.totals].filter(([level]) => level !== '');
  } else await loadLevels(signal);
}

/** The steps that put the level of each event into one field, and the name of that field. */
function levelSteps(): readonly [steps: string, field: string] {
  const fields = levelFields();
  if (fields.length === 1) return ['', fields[0]!];
  return [`_level := coalesce([${fields.map(quoteField).join(', ')}])`, '_level'];
}

/** Loads the number of records by level if levels are selected, or if the bars show another field. */
async function loadLevels(signal: AbortSignal): Promise<void> {
  const state = search.value;
  const [steps, field] = levelSteps();
  const filters = fullQuery({ ...state, levels: [], query: table.value === undefined ? state.query : '' });
  const { events } = await queryResult(sourceOf(repository.value), {
    ...searchInput(state),
    queryString: joinSteps([filters, steps, `groupBy(${quoteField(field)}, limit=max)`]),
    signal,
  });
  if (signal.aborted) return;
  const counts = new Map<string, number>();
  for (const row of events) {
    const level = levelName(String(row[field] ?? ''));
    counts.set(level, (counts.get(level) ?? 0) + Number(row._count));
  }
  levelCounts.value = [...counts];
}

/** The time from the first to the last event if all time is searched, otherwise the interval of the search. */
async function extent(
  query: string,
  signal: AbortSignal,
): Promise<{ readonly start: number; readonly end: number }> {
  const { start, end } = facts.value!;
  if (search.value.start !== 'all') return { start, end };
  const queryString = joinSteps([query, '[min(@timestamp, as=first), max(@timestamp, as=last)]']);
  const { events } = await queryResult(sourceOf(repository.value), {
    ...searchInput(search.value),
    queryString,
    signal,
  });
  const [first, last] = [Number(events[0]?.first), Number(events[0]?.last)];
  return Number.isFinite(first) && Number.isFinite(last)
    ? { start: first, end: last }
    : { start: end - 1, end };
}
