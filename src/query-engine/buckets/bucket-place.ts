import type { BucketGrid } from './bucket-grid.ts';

/** Where in a chart an aggregate stands that is opened for one bucket. */
export interface BucketPlace {
  readonly grid: BucketGrid;
  /** The start of the bucket. Epoch milliseconds. */
  readonly start: number;
  /** The start of the first bucket of the chart. */
  readonly first: number;
  /** What the buckets of a series keep together, by the step that keeps it. */
  readonly shared: Map<object, unknown>;
}
