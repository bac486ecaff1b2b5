/** A condition of the search. One that is turned off keeps its place but has no effect. */
export interface Filter {
  readonly text: string;
  readonly isOff: boolean;
}

/** Conditions that have an effect. */
export const filtersOf = (...texts: readonly string[]): readonly Filter[] =>
  texts.map((text) => ({ text, isOff: false }));

/** The values of settings that have only these, the initial one first. */
const CHOICES = {
  order: ['newest-last', 'newest-first'],
  view: ['list', 'table', 'patterns', 'cost'],
  /** Whether long rows continue on further lines. */
  wrap: ['off', 'on'],
  /** Whether to show an aggregate as a chart or as a table. */
  form: ['chart', 'table'],
  chart: ['line', 'area', 'bar'],
  /** The scale of the histogram and of charts over time. A logarithmic one shows small numbers beside large ones. */
  scale: ['linear', 'log'],
} as const;

type Choices = { readonly [Name in keyof typeof CHOICES]: (typeof CHOICES)[Name][number] };

/** The state of the page, all of which is in its URL. */
export interface SearchState extends Choices {
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
  readonly columns: readonly string[];
  /** Chosen widths of columns: pixels, a dot and the name. */
  readonly widths: readonly string[];
  /** Field for the stacked bars of the histogram. */
  readonly series: string;
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
  /** Bookmarked records: the time in epoch milliseconds, a dot and the ID. */
  readonly bookmarks: readonly string[];
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
  ...(Object.fromEntries(
    Object.entries(CHOICES).map(([name, [first]]) => [name, first]),
  ) as unknown as Choices),
  columns: [],
  widths: [],
  series: 'level',
  measure: '',
  sort: '',
  data: '',
  moment: '',
  request: '',
  bookmarks: [],
  clearedAt: 0,
};

/** A search for all records of a time range. */
export const NO_CONDITIONS = { query: '', filters: [], levels: [], request: '' } as const;

/** Names in the URL, if they differ from those of the state. */
const PARAMETERS: Readonly<Record<string, string>> = {
  repository: 'repo',
  files: 'file',
  query: 'q',
  levels: 'level',
  levelFields: 'level-field',
  timeZone: 'tz',
  columns: 'column',
  widths: 'width',
  series: 'by',
  bookmarks: 'mark',
};

/** The values and lists of text in a state, each with its name in the URL. */
function texts(
  state: SearchState,
): (readonly [name: string, parameter: string, value: string | readonly string[]])[] {
  const { filters, isLive, isStreamed, clearedAt, ...others } = state;
  return Object.entries(others).map(([name, value]) => [name, PARAMETERS[name] ?? name, value]);
}

/** Serializes a state as the fragment of a URL, without `#`. Initial values are omitted. */
export function printState(state: SearchState): string {
  const parameters = new URLSearchParams();
  const initial: Readonly<Record<string, unknown>> = { ...INITIAL_STATE };
  for (const [name, parameter, value] of texts(state)) {
    if (JSON.stringify(value) === JSON.stringify(initial[name])) continue;
    for (const item of [value].flat()) parameters.append(parameter, item);
  }
  for (const { text, isOff } of state.filters) parameters.append(isOff ? 'filter-off' : 'filter', text);
  if (!state.isLive) parameters.set('live', 'off');
  if (!state.isStreamed) parameters.set('stream', 'off');
  if (state.clearedAt > 0) parameters.set('cleared', String(state.clearedAt));
  return parameters.toString();
}

/** A time, a duration, such as `1d` or `1d@d`, or `now` or `all`; the service explains what it rejects. */
const TIME = /^(?:\d+|all|(?:calendar:)?(?:now|\d+\s?[A-Za-z]+)\S*)$/;

/** Parses a fragment. Missing and invalid values become initial ones. */
export function parseState(fragment: string): SearchState {
  const parameters = new URLSearchParams(fragment.replace(/^#/, ''));
  const choices: Readonly<Record<string, readonly string[]>> = CHOICES;
  const known = texts(INITIAL_STATE).map(([name, parameter, initial]) => {
    const all = parameters.getAll(parameter);
    if (typeof initial !== 'string') return [name, all.length > 0 ? all : initial];
    const [value] = all;
    const isValid =
      value !== undefined &&
      (choices[name]?.includes(value) ?? (!/^(?:start|end)$/.test(name) || TIME.test(value)));
    return [name, isValid ? value : initial];
  });
  const filters = [...parameters]
    .filter(([name]) => name === 'filter' || name === 'filter-off')
    .map(([name, text]) => ({ text, isOff: name === 'filter-off' }));
  const clearedAt = Number(parameters.get('cleared') ?? 0);
  return {
    ...INITIAL_STATE,
    ...Object.fromEntries(known),
    filters,
    isLive: parameters.get('live') !== 'off',
    isStreamed: parameters.get('stream') !== 'off',
    clearedAt: Number.isSafeInteger(clearedAt) && clearedAt > 0 ? clearedAt : 0,
  };
}
