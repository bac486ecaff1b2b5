/** An event or an aggregate's row: text throughout, but for `@timestamp`, which is epoch milliseconds. */
export interface LogEvent {
  readonly [field: string]: string | number | undefined;
}

/** A point in time: epoch milliseconds, `now`, or a relative time such as `24hours` (before now). */
export type TimePoint = number | string;

/** The body of `POST …/query` and `POST …/queryjobs`. */
export interface QueryInput {
  queryString: string;
  start?: TimePoint;
  end?: TimePoint;
  isLive?: boolean;
  timeZone?: string;
  timeZoneOffsetMinutes?: number;
  arguments?: Readonly<Record<string, string>>;
  /** A window of events next to a known event. */
  around?: QueryAround;
  [member: string]: unknown;
}

export interface QueryAround {
  eventId: string;
  /** Epoch milliseconds of that event. */
  timestamp: number;
  /** "Before" means older. Default 100. */
  numberOfEventsBefore?: number;
  /** Default 100. */
  numberOfEventsAfter?: number;
}

/** The answer to `POST …/queryjobs`; only `id` is guaranteed. */
export interface QueryJobCreated {
  id: string;
  queryOnView?: string;
  hashedQueryOnView?: string;
}

/** The answer to `GET …/queryjobs/{id}`. */
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
  /** `hasMoreEvents`, `bucket_span_millis` …: every value is text. */
  extraData: Readonly<Record<string, string>>;
  /** The order of the columns, where the service says it. */
  fieldOrder?: readonly string[];
  filterQuery?: QueryInput;
  /** The resolved interval, epoch milliseconds. */
  queryStart: number;
  queryEnd: number;
  processedBytes: number;
  processedEvents: number;
  resultBufferSize: number;
  timeMillis: number;
  /** Progress is `workDone / totalWork`; `totalWork` can be 0. */
  totalWork: number;
  workDone: number;
  warnings?: readonly string[];
}
