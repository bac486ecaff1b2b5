/**
 * A row of a result: all values are strings except `@timestamp`, in epoch milliseconds. It has no prototype, because a
 * field may have the name of a member that all objects inherit, such as `constructor`.
 */
export type Row = Readonly<Record<string, string | number>>;

/** Makes a row of a parsed object. */
export function toRow(parsed: object): Row {
  return Object.setPrototypeOf(parsed, null) as Row;
}

/** What a query asks for, as the body of a query job. */
export interface QueryInput {
  readonly queryString: string;
  /** A duration before now, such as `15m`, or epoch milliseconds. */
  readonly start: string | number;
  readonly end?: string | number;
  readonly isLive?: boolean;
  readonly timeZone?: string;
  /** Only events that arrived after this moment, in epoch milliseconds. */
  readonly ingestStart?: number;
  readonly ingestEnd?: string;
  /** Whether `start` and `end` are times of arrival. */
  readonly useIngestTime?: boolean;
  readonly around?: Around;
}

export interface Around {
  readonly eventId: string;
  readonly timestamp: number;
  readonly numberOfEventsBefore: number;
  readonly numberOfEventsAfter: number;
}

/** The response to a poll, as far as the page reads it. */
export interface JobResult {
  readonly done: boolean;
  readonly events: readonly Row[];
  readonly warnings?: readonly { readonly message: string }[];
  readonly metaData: {
    readonly isAggregate: boolean;
    readonly pollAfter?: number;
    readonly fieldOrder?: readonly string[];
    readonly extraData?: Readonly<Record<string, string>>;
    readonly filterQuery?: { readonly queryString: string };
    readonly queryStart: number;
    readonly queryEnd: number;
    readonly processedEvents: number;
    readonly timeMillis: number;
    readonly totalWork: number;
    readonly workDone: number;
  };
}
