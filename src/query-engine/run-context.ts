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
}

/** A run as the operators see it. */
export interface RunScope extends RunContext {
  /** Tells the caller that a result is incomplete. The same text is told once. */
  warn(text: string): void;
}
