/** An event, or a row of an aggregate. All values are strings, except `@timestamp`. To type rows, pass your type: `query<Row>(…)`. */
export interface LogEvent {
  /** Epoch milliseconds. Undefined in rows of an aggregate, unless it returns this field. */
  readonly '@timestamp'?: number;
  // Declared for `noPropertyAccessFromIndexSignature`, which needs `event['order']` for all others.
  readonly level?: string | number;
  readonly message?: string | number;
  readonly [field: string]: string | number | undefined;
}

/** A point in time: epoch milliseconds, `now`, or a relative time such as `24hours` (before now). */
export type TimePoint = number | string;

/** Body of `POST …/query` and `POST …/queryjobs`. */
export interface QueryInput {
  queryString: string;
  start?: TimePoint;
  end?: TimePoint;
  /** Makes `ingestStart` and `ingestEnd` the interval of the query. */
  useIngestTime?: boolean;
  ingestStart?: TimePoint;
  ingestEnd?: TimePoint;
  isLive?: boolean;
  timeZone?: string;
  timeZoneOffsetMinutes?: number;
  arguments?: Readonly<Record<string, string>>;
  /** Range of events around a known event. */
  around?: QueryAround;
  [member: string]: unknown;
}

export interface QueryAround {
  eventId: string;
  /** Timestamp of that event in epoch milliseconds. */
  timestamp: number;
  /** "Before" means older. Default 100. */
  numberOfEventsBefore?: number | undefined;
  /** Default 100. */
  numberOfEventsAfter?: number | undefined;
}

/** Response to `POST …/queryjobs`; only `id` is guaranteed. */
export interface QueryJobCreated {
  id: string;
}

/** Response to `GET …/queryjobs/{id}`. */
export interface QueryJobPoll {
  done: boolean;
  cancelled: boolean;
  events: LogEvent[];
  metaData: QueryMetadata;
  warnings?: QueryWarning[];
}

export interface QueryWarning {
  code?: string;
  message: string;
  category?: string;
}

export interface QueryMetadata {
  eventCount: number;
  isAggregate: boolean;
  /** Milliseconds to wait before the next poll. */
  pollAfter?: number;
  /** `hasMoreEvents`, `bucket_span_millis` …: every value is a string. */
  extraData: Readonly<Record<string, string>>;
  /** How up to date the result is, if the service reports it. All in epoch milliseconds or milliseconds. */
  digestFlow?: {
    /** Events that arrived up to this time are in the result. */
    readonly minIngestTimeIncluded: number;
    /** Events that arrived up to this time can be found by queries. */
    readonly ingestTimeKnownGood: number;
    readonly maxIngestLatency: number;
  };
  /** Column order, if the service provides it. */
  fieldOrder?: readonly string[];
  filterQuery?: QueryInput;
  /** Resolved time range in epoch milliseconds. */
  queryStart: number;
  queryEnd: number;
  processedBytes: number;
  /** Number of events found so far, also those not returned; for an aggregate, searched so far. */
  processedEvents: number;
  resultBufferSize: number;
  timeMillis: number;
  /** Progress is `workDone / totalWork`; `totalWork` can be 0. */
  totalWork: number;
  workDone: number;
  warnings?: readonly string[];
}
