import type { ComparedFields } from './compared-fields.ts';
import type { SearchBudget } from './search-budget.ts';

/** The results of preparations, by key. */
export interface Prepared {
  readonly results: ReadonlyMap<object, unknown>;
  readonly warnings: ReadonlySet<string>;
}

/** The context of a run. Times are epoch milliseconds. */
export interface RunContext {
  /** Start of the query's interval. */
  readonly start: number;
  /** End of the query's interval. */
  readonly end: number;
  /** When the query was submitted. */
  readonly now: number;
  /** IANA name, `UTC`, or an offset such as `+02:00`. */
  readonly timeZone: string;
  /** The results of `plan.prepare()`, if the query needs it. */
  readonly prepared?: Prepared;
  readonly limits?: RunLimits;
  /**
   * Whether it runs in a parser. There, free text searches the row as it is at that step instead of the stored event,
   * and an event dropped by `dropEvent()` is not passed to the next branch of a `case`.
   *
   * @default false
   */
  readonly isParser?: boolean;
}

/** Memory limits of a run. */
export interface RunLimits {
  /** Maximum number of groups per function; it warns when there are more. */
  readonly maxGroups: number;
  /** Approximate maximum of the state of all functions, in bytes. */
  readonly maxBytes: number;
  /** Receives each change of that state, in bytes, except that nothing reports when it is dropped as a whole. */
  readonly onRetain?: (bytes: number) => void;
}

/** The bucket for which an aggregate is opened. Times are epoch milliseconds. */
export interface BucketPlace {
  readonly grid: BucketTimes;
  /** Start of this bucket. */
  readonly start: number;
  /** Start of the chart's first bucket. */
  readonly first: number;
  /** State that the buckets of a series share, keyed by the step that owns it. */
  readonly shared: Map<object, unknown>;
}

/** The buckets of a chart. */
export interface BucketTimes {
  /** The usual length of a bucket. */
  readonly spanMs: number;
  nextStart(start: number): number;
}

/** A run as operators see it. */
export interface RunScope extends RunContext {
  /** The number of rows that no further branch of a `case` receives: undecided ones and those of `dropEvent()`. */
  readonly discards: { count: number };
  readonly searches: SearchBudget;
  /** Set within `timeChart` and `bucket`. */
  readonly bucket?: BucketPlace;
  /**
   * Accounts for memory that is kept until the end of the run.
   *
   * @throws QueryMemoryError if the limit is exceeded.
   */
  retain?(bytes: number): void;
  /** Approximate number of bytes in use. */
  retained?(): number;
  /** What comparisons with numbers have met; absent if no warning can be returned. */
  readonly compared?: ComparedFields;
  /** Warns that the result is incomplete. Repeated warnings are ignored. */
  warn(text: string): void;
}
