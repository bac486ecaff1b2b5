import type { Fields } from '../../../src/engine/index.ts';
import type { RunOptions } from '../run-query.ts';

/** A query, its events, the expected rows, and other options of the run. */
export type GoldenCase = readonly [
  query: string,
  events: readonly Fields[],
  rows: readonly Fields[],
  options?: RunOptions,
];

/** The cases by function. */
export type GoldenCases = Readonly<Record<string, readonly GoldenCase[]>>;
