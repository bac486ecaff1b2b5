/** A record that a browser logged. */
export interface BrowserRecord {
  /** Epoch milliseconds, by the clock of the browser. */
  readonly timestamp: number;
  readonly level: BrowserLogLevel;
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** Levels of the loggers for browsers and Next.js, lowest first. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;

/** A level of a browser record. */
export type BrowserLogLevel = (typeof LOG_LEVELS)[number];

/** Body of the request with which a browser sends records, as JSON. */
export interface BrowserRecordsRequest {
  /** Time of the request in epoch milliseconds, by the clock of the browser; it shows how old the records are. */
  readonly sentAt?: number | undefined;
  /** Number of records that the browser had to drop since its last report. */
  readonly lost?: number | undefined;
  readonly records: readonly BrowserRecord[];
}

/** Body of a response with an error status. */
export interface BrowserRecordsError {
  readonly error: string;
  /** Why the request was rejected. Responses without it come from something else, such as a proxy. */
  readonly reason: string;
  /** With status 503: the number of leading records that were accepted. The others can be sent again. */
  readonly accepted?: number | undefined;
}
