import { expect } from 'vitest';
import {
  compileQuery,
  type EventSource,
  type Fields,
  type Plan,
  parseTimePoint,
  type QueryLibrary,
  type Run,
  type RunContext,
  type RunLimits,
  takeAll,
} from '../../src/engine/index.ts';
import { type LibraryContent, libraryOf } from './library.ts';
import { RowTable } from './row-table.ts';

export interface RunOptions {
  readonly arguments?: Record<string, string>;
  readonly start?: number;
  readonly end?: number;
  readonly now?: number;
  readonly timeZone?: string;
  /** Memory limits of the run. Default: none. */
  readonly limits?: RunLimits;
  /** The lookup files, saved queries and other repositories. */
  readonly library?: LibraryContent;
}

/** Compiles a query, pushes events in the order given, and returns the run. */
export function runOf(query: string, events: readonly Fields[] = [], options: RunOptions = {}): Run {
  const { start = 0, end = 10_000, now = end, timeZone = 'UTC', limits } = options;
  const plan = compileQuery(query, compileOptionsOf(options));
  const context = preparedContext(
    plan,
    { start, end, now, timeZone, ...(limits && { limits }), ...intervalOf(plan, now) },
    events,
    options,
  );
  if (plan.readsEvents && isToCompare(query, events)) {
    expectSameOfTable(query, () => plan.open(context), events);
    if (!plan.isAggregate && !plan.needsPreparation) {
      const grouped = groupedBy(query, plan.open(context), events);
      const groupedPlan = compileQuery(grouped, compileOptionsOf(options));
      expectSameOfTable(grouped, () => groupedPlan.open(context), events);
    }
  }
  const run = plan.open(context);
  if (plan.readsEvents) for (const event of events) run.push(event);
  return run;
}

const compared = new Map<string, number>();

/** Every query of these tests also runs on columns for the first few times, unless there is too much data. */
function isToCompare(query: string, events: readonly Fields[]): boolean {
  if (events.length > 100 || events.some((event) => Object.keys(event).length > 100)) return false;
  const times = compared.get(query) ?? 0;
  compared.set(query, times + 1);
  return times < 3;
}

/**
 * A table of the events must give the same rows as single events. Each event occurs three times, because results are
 * cached for repeated values.
 */
function expectSameOfTable(query: string, open: () => Run, given: readonly Fields[]): void {
  const events = given.flatMap((event) => [event, event, event]);
  const byRows = resultOf(open(), (run) => {
    for (const event of events) run.push(event);
  });
  const byColumns = resultOf(open(), (run) => {
    const take = run.from(new RowTable(events));
    if (take !== undefined) for (const index of events.keys()) take(index);
  });
  expect(byColumns, `${query}, asked of columns`).toEqual(byRows);
}

/** The query with an aggregate that reads all fields by name: only then are columns sufficient. */
function groupedBy(query: string, run: Run, events: readonly Fields[]): string {
  try {
    for (const event of events) run.push(event);
    const names = new Set([...events, ...run.rows()].flatMap(Object.keys));
    // The names of very many fields would exceed the maximum query length.
    const fields = [...names].slice(0, 100).map((name) => JSON.stringify(name));
    return `${query}\n| groupBy([${fields.join(', ')}])`;
  } catch {
    return query;
  }
}

/** The result of a run, or its failure. */
function resultOf(run: Run, feed: (run: Run) => void): unknown {
  try {
    feed(run);
    return { rows: run.rows(), extraData: run.extraData };
  } catch (error) {
    return String(error);
  }
}

export function rowsOf(
  query: string,
  events: readonly Fields[] = [],
  options: RunOptions = {},
): readonly Fields[] {
  return runOf(query, events, options).rows();
}

function compileOptionsOf(options: RunOptions): { arguments: Record<string, string>; library: QueryLibrary } {
  return { arguments: options.arguments ?? {}, library: libraryOf(options.library) };
}

/** The interval that the query sets. */
function intervalOf({ interval }: Plan, now: number): { start?: number; end?: number } {
  if (interval === undefined) return {};
  const at = (value: string): number => parseTimePoint({ value, now, timeZone: interval.timeZone ?? 'UTC' });
  return { start: at(interval.start), end: at(interval.end) };
}

function preparedContext(
  plan: Plan,
  context: RunContext,
  own: readonly Fields[],
  { library }: RunOptions,
): RunContext {
  const source: EventSource = {
    read({ repository, start, end }, sink) {
      const events = repository === undefined ? own : (library?.repositories?.[repository] ?? []);
      return takeAll(
        events.filter(({ '@timestamp': time = String(start) }) => start <= +time && +time <= end),
        sink,
      );
    },
  };
  const work = plan.prepare(context, source);
  for (let next = work.next(); ; next = work.next()) if (next.done === true) return next.value;
}

/** `events('a=1 b=x', 'a=2')`: one event per text, with fields without spaces. */
export function events(...texts: readonly string[]): Fields[] {
  return texts.map((text) => {
    const pairs = text.split(' ').filter((pair) => pair !== '');
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  });
}

/** The error of a rejected query. */
export function refusalOf(query: string, options: RunOptions = {}): Error {
  try {
    compileQuery(query, compileOptionsOf(options));
  } catch (error) {
    return error as Error;
  }
  throw new Error(`The query was not refused: ${query}`);
}
