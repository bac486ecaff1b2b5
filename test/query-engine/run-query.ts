import { compileQuery, type Fields, type Run } from '../../src/query-engine/index.ts';

export interface RunOptions {
  readonly arguments?: Record<string, string>;
  readonly start?: number;
  readonly end?: number;
  readonly now?: number;
  readonly timeZone?: string;
}

/** Compiles a query, pushes events in the order given, and returns the run. */
export function runOf(query: string, events: readonly Fields[] = [], options: RunOptions = {}): Run {
  const { start = 0, end = 10_000, now = end, timeZone = 'UTC' } = options;
  const plan = compileQuery(query, { arguments: options.arguments ?? {} });
  const run = plan.open({ start, end, now, timeZone });
  for (const event of events) run.push(event);
  return run;
}

export function rowsOf(
  query: string,
  events: readonly Fields[] = [],
  options: RunOptions = {},
): readonly Fields[] {
  return runOf(query, events, options).rows();
}

/** `events('a=1 b=x', 'a=2')`: one event for each text, of fields without spaces. */
export function events(...texts: readonly string[]): Fields[] {
  return texts.map((text) => {
    const pairs = text.split(' ').filter((pair) => pair !== '');
    return Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
    );
  });
}

/** What the query is refused with. */
export function refusalOf(query: string, options: RunOptions = {}): Error {
  try {
    compileQuery(query, { arguments: options.arguments ?? {} });
  } catch (error) {
    return error as Error;
  }
  throw new Error(`The query was not refused: ${query}`);
}
