import type { Fields } from '../../../src/query-engine/index.ts';
import type { RunOptions } from '../run-query.ts';

/** A query, the events that go in, the rows that come out, and what the run is to know besides. */
type GoldenCase = readonly [
  query: string,
  events: readonly Fields[],
  rows: readonly Fields[],
  options?: RunOptions,
];

/** The cases of each function, by its name. */
export type GoldenCases = Readonly<Record<string, readonly GoldenCase[]>>;
