/** What a run needs to know before the first of its events: the results of preparations, by their keys. */
export interface Prepared {
  readonly results: ReadonlyMap<object, unknown>;
  readonly warnings: ReadonlySet<string>;
}

/** What a run knows besides its events. Times are epoch milliseconds. */
export interface RunContext {
  /** The start of the query's interval. */
  readonly start: number;
  /** The end of the query's interval. */
  readonly end: number;
  /** When the query was submitted. */
  readonly now: number;
  /** IANA name, `UTC`, or an offset such as `+02:00`. */
  readonly timeZone: string;
  /** What `plan.prepare()` has found out, for a query that needs something first. */
  readonly prepared?: Prepared;
  readonly limits?: RunLimits;
  /**
   * Whether it runs in a parser: free text looks at the row as it is at its step, not at the stored event, and what
   * `dropEvent()` drops is not offered to the next clause of a `case`.
   *
   * @default false
   */
  readonly isParser?: boolean;
}

/** How much one run may hold on to. */
export interface RunLimits {
  /** The most groups that a function counts; it warns when there are more. */
  readonly maxGroups: number;
  /** About how many bytes the state of all its functions may have. */
  readonly maxBytes: number;
}

/** Where in a chart an aggregate stands that is opened for one bucket. Times are epoch milliseconds. */
export interface BucketPlace {
  readonly grid: BucketTimes;
  /** The start of the bucket. */
  readonly start: number;
  /** The start of the first bucket of the chart. */
  readonly first: number;
  /** What the buckets of a series keep together, by the step that keeps it. */
  readonly shared: Map<object, unknown>;
}

/** When the buckets of a chart start. */
export interface BucketTimes {
  /** As long as a bucket usually is. */
  readonly spanMs: number;
  nextStart(start: number): number;
}

/** A run as the operators see it. */
export interface RunScope extends RunContext {
  /** In a parser: how many rows `dropEvent()` has dropped. */
  readonly discards?: { count: number };
  /** Inside of `timeChart` and `bucket`. */
  readonly bucket?: BucketPlace;
  readonly maxGroups?: number;
  /**
   * Says that about so many bytes more are held on to, as long as the run lasts.
   *
   * @throws QueryMemoryError when that is too much.
   */
  retain?(bytes: number): void;
  /** About how many bytes are held on to. */
  retained?(): number;
  /** Tells the caller that a result is incomplete. The same text is told once. */
  warn(text: string): void;
}
