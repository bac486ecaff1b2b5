/** A condition of the search. One that is turned off keeps its place but has no effect. */
export interface Filter {
  readonly text: string;
  readonly isOff: boolean;
}

export type ResultView = 'list' | 'table' | 'patterns' | 'cost';
export type ChartKind = 'line' | 'area' | 'bar';
export type ResultForm = 'chart' | 'table';
/** Scale of heights. A logarithmic scale shows small numbers beside large ones. */
export type Scale = 'linear' | 'log';
export type Order = 'newest-last' | 'newest-first';

/** The state of the page, all of which is in its URL. */
export interface SearchState {
  /** Repository or view; empty for the first one. */
  readonly repository: string;
  /** Paths of the files in the repository; empty if it has none. */
  readonly files: readonly string[];
  readonly query: string;
  readonly filters: readonly Filter[];
  /** Names of levels; empty for all. */
  readonly levels: readonly string[];
  /** Fields that contain the level, for the text of the query. */
  readonly levelFields: readonly string[];
  /** A duration before now, such as `1h`, or epoch milliseconds. */
  readonly start: string;
  /** `now`, or epoch milliseconds. */
  readonly end: string;
  /** IANA name; empty for the time zone of the browser. */
  readonly timeZone: string;
  readonly isLive: boolean;
  /** Whether a live search streams new records. While files are being read, it is repeated instead: their older lines are not new. */
  readonly isStreamed: boolean;
  readonly order: Order;
  readonly view: ResultView;
  readonly columns: readonly string[];
  /** Field for the stacked bars of the histogram. */
  readonly series: string;
  /** Whether to show an aggregate as a chart or as a table. */
  readonly form: ResultForm;
  readonly chart: ChartKind;
  /** The scale of the histogram and of charts over time. */
  readonly scale: Scale;
  /** Column to show as bars; empty for the first one with numbers. */
  readonly measure: string;
  /** Column to sort the table by, after `-` for descending; empty for the order of the result. */
  readonly sort: string;
  /** The pasted lines of a link to the playground, compressed; empty for none. */
  readonly data: string;
  /** The moment before and after which patterns are compared, in epoch milliseconds; empty for none. */
  readonly moment: string;
  /** The ID of a request whose records a filter selects, to show them as a request; empty for none. */
  readonly request: string;
  /** Records that arrived before this time are hidden; epoch milliseconds, 0 for none. */
  readonly clearedAt: number;
}

export const INITIAL_STATE: SearchState = {
  repository: '',
  files: [],
  query: '',
  filters: [],
  levels: [],
  levelFields: ['level'],
  start: '1h',
  end: 'now',
  timeZone: '',
  isLive: true,
  isStreamed: true,
  order: 'newest-last',
  view: 'list',
  columns: [],
  series: 'level',
  form: 'chart',
  chart: 'line',
  scale: 'linear',
  measure: '',
  sort: '',
  data: '',
  moment: '',
  request: '',
  clearedAt: 0,
};

/** A search for all records of a time range. */
export const NO_CONDITIONS = { query: '', filters: [], levels: [], request: '' } as const;

/** Names of the single values in the URL. */
const SINGLE = {
  repository: 'repo',
  query: 'q',
  start: 'start',
  end: 'end',
  timeZone: 'tz',
  order: 'order',
  view: 'view',
  series: 'by',
  form: 'form',
  chart: 'chart',
  scale: 'scale',
  measure: 'measure',
  sort: 'sort',
  data: 'data',
  moment: 'moment',
  request: 'request',
} as const;

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  order: ['newest-last', 'newest-first'],
  view: ['list', 'table', 'patterns', 'cost'],
  form: ['chart', 'table'],
  chart: ['line', 'area', 'bar'],
  scale: ['linear', 'log'],
};

/** Serializes a state as the fragment of a URL, without `#`. Initial values are omitted. */
export function printState(state: SearchState): string {
  const parameters = new URLSearchParams();
  for (const [name, parameter] of Object.entries(SINGLE)) {
    const key = name as keyof typeof SINGLE;
    if (state[key] !== INITIAL_STATE[key]) parameters.set(parameter, state[key]);
  }
  for (const { text, isOff } of state.filters) parameters.append(isOff ? 'filter-off' : 'filter', text);
  for (const file of state.files) parameters.append('file', file);
  for (const level of state.levels) parameters.append('level', level);
  if (String(state.levelFields) !== String(INITIAL_STATE.levelFields))
    for (const field of state.levelFields) parameters.append('level-field', field);
  for (const column of state.columns) parameters.append('column', column);
  if (!state.isLive) parameters.set('live', 'off');
  if (!state.isStreamed) parameters.set('stream', 'off');
  if (state.clearedAt > 0) parameters.set('cleared', String(state.clearedAt));
  return parameters.toString();
}

/** A time or a duration, or `now` or `all`; the service explains what it rejects. */
const TIME = /^(?:\d+|now|all|\d+\s?[A-Za-z]+\S*)$/;
const TIMES = ['start', 'end'];

/** Parses a fragment. Missing and invalid values become initial ones. */
export function parseState(fragment: string): SearchState {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const single = Object.entries(SINGLE).map(([name, parameter]) => {
    const value = parameters.get(parameter);
    const isKnown =
      value !== null && (CHOICES[name]?.includes(value) ?? (!TIMES.includes(name) || TIME.test(value)));
    return [name, isKnown ? value : INITIAL_STATE[name as keyof typeof SINGLE]];
  });
  const filters = [...parameters]
    .filter(([name]) => name === 'filter' || name === 'filter-off')
    .map(([name, text]) => ({ text, isOff: name === 'filter-off' }));
  const clearedAt = Number(parameters.get('cleared') ?? 0);
  return {
    ...INITIAL_STATE,
    ...Object.fromEntries(single),
    filters,
    files: parameters.getAll('file'),
    levels: parameters.getAll('level'),
    levelFields: parameters.has('level-field') ? parameters.getAll('level-field') : INITIAL_STATE.levelFields,
    columns: parameters.getAll('column'),
    isLive: parameters.get('live') !== 'off',
    isStreamed: parameters.get('stream') !== 'off',
    clearedAt: Number.isSafeInteger(clearedAt) && clearedAt > 0 ? clearedAt : 0,
  };
}
