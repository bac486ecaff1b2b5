import { signal } from '@preact/signals';
import { isTransient } from '../../core/http/transient.ts';
import { quoteField } from '../../core/query-text.ts';
import { LEVEL_FIELDS, TIME_SOURCE } from '../../core/records/record-fields.ts';
import { levelName } from '../../core/records/severity.ts';
import { ALL_TIME } from '../api/repository-facts.ts';
import { serverNow } from '../api/server-clock.ts';
import { loadExtent } from '../search/event-extent.ts';
import { fullQuery, joinSteps } from '../search/query-text.ts';
import { keepLoading, searchInput, searchKey } from '../search/run-search.ts';
import { forEachKey } from '../state/for-each-key.ts';
import { search, searchResult, update } from '../state/page-state.ts';
import { activity, facts, isStale, readShare, table } from '../state/results.ts';
import { INITIAL_STATE } from '../state/search-state.ts';
import { bucketSpan, type Histogram, readHistogram } from './buckets.ts';

export const histogram = signal<Histogram | undefined>(undefined);
/** Number of records of each level, regardless of the selected levels. */
export const levelCounts = signal<readonly (readonly [string, number])[]>([]);

/** Records that are less ahead of the server's clock are found soon. */
const SOON_MS = 10_000;
const NONE = { count: 0, last: 0 };
/** Number and last time of the records after the current time of the server, at which the search ends. */
export const future = signal(NONE);

/** Whether the counts of this search are not known: those that are there are from an earlier one. */
export const isHistogramStale = signal(false);

const MAX_BUCKETS = 90;
const MAX_SERIES = 12;
/** The step that puts the level of each event into one field, which is empty for an event without a level. */
const LEVEL_STEP = `_level := coalesce([${LEVEL_FIELDS.map(quoteField).join(', ')}, ""], ignoreEmpty=false)`;
/** Marks events whose time is unknown, as the local server reads them from files. */
const UNKNOWN_STEP = `case { ${quoteField(TIME_SOURCE)}=unknown | _unknown := 1; * }`;

/** Loads the histogram of each search, and refreshes that of a live search. */
export function startHistogram(): void {
  const key = (): string | undefined =>
    facts.value &&
    `${searchKey.value}${search.value.series} ${readShare.value === undefined} ${isSearching()}`;
  forEachKey(key, (signal) => {
    isHistogramStale.value = true;
    // The search has priority, and stopping it also stops these jobs.
    if (isSearching()) return;
    if (/stopped|failed/.test(activity.value)) clear();
    else
      void keepLoading(async () => {
        await load(signal).catch((error: unknown) => {
          // The last counts stay while the server is gone.
          if (!signal.aborted && !isTransient(error)) clear();
        });
      }, signal);
  });
}

function isSearching(): boolean {
  return activity.value === 'searching' || (activity.value === 'reconnecting' && isStale.value);
}

function clear(): void {
  isHistogramStale.value = true;
  histogram.value = undefined;
  levelCounts.value = [];
  future.value = NONE;
}

async function load(signal: AbortSignal): Promise<void> {
  const state = search.value;
  const input = searchInput(state);
  // An aggregate counts the events that it reads.
  const part = table.value === undefined ? fullQuery(state) : (facts.value?.filterQuery ?? '');
  const isOfAllTime = state.start === 'all';
  const { start, end } = isOfAllTime
    ? await loadExtent({ ...input, queryString: part, signal })
    : facts.value!;
  const spanMs = bucketSpan(start, end, MAX_BUCKETS);
  const isByLevel = state.series === INITIAL_STATE.series;
  const field = isByLevel ? '_level' : state.series;
  const step = isByLevel ? LEVEL_STEP : `default(field=${quoteField(field)}, value="")`;
  const chart = `timeChart(${quoteField(field)}, function=[count(), count(_unknown, as=_unknown)], span=${spanMs}ms, limit=${MAX_SERIES})`;
  const rows = await searchResult({
    ...input,
    ...(isOfAllTime ? { start, end } : {}),
    queryString: joinSteps([part, step, UNKNOWN_STEP, chart]),
    signal,
  });
  if (signal.aborted) return;
  isHistogramStale.value = false;
  histogram.value = readHistogram(rows.events, field, spanMs, isByLevel ? levelName : String);
  if (isByLevel && state.levels.length === 0) {
    showLevels(histogram.value);
  } else await loadLevels(signal);
  const found = await countFuture(part, signal);
  if (!signal.aborted) future.value = found;
}

function showLevels({ totals }: Histogram): void {
  levelCounts.value = [...totals].filter(([level]) => level !== '');
}

async function countFuture(events: string, signal: AbortSignal): Promise<typeof NONE> {
  const input = searchInput(search.value);
  if (input.end !== 'now') return NONE;
  const queryString = joinSteps([events, '[count(as=count), max(@timestamp, as=last)]']);
  const query = { ...input, start: serverNow() + SOON_MS, end: ALL_TIME.end, queryString, signal };
  const [row] = (await searchResult(query)).events;
  return { count: Number(row?.count ?? 0), last: Number(row?.last ?? 0) };
}

/** The number of records by level, and how many of them have each field. */
const LEVEL_COUNTS = `groupBy(_level, function=[count(), ${LEVEL_FIELDS.map((name, place) => `count(${quoteField(name)}, as=_${place})`).join(', ')}], limit=max)`;

/** Loads the number of records by level if levels are selected, or if the bars show another field. */
async function loadLevels(signal: AbortSignal): Promise<void> {
  const state = search.value;
  const filters = fullQuery({ ...state, levels: [], query: table.value === undefined ? state.query : '' });
  const { events } = await searchResult({
    ...searchInput(state),
    queryString: joinSteps([filters, LEVEL_STEP, LEVEL_COUNTS]),
    signal,
  });
  if (signal.aborted) return;
  showLevels(readHistogram(events, '_level', 1, levelName));
  const used = LEVEL_FIELDS.filter((_, place) => events.some((row) => Number(row[`_${place}`]) > 0));
  if (state.levels.length > 0 && used.length > 0) update({ levelFields: used }, { replaces: true });
}
