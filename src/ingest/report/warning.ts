/** Category of a warning. */
export type WarningKind =
  /** The service is not accepting records; they stay queued and are retried. */
  | 'retry'
  /** The token, repository or address needs a fix; records stay queued. */
  | 'attention'
  /** Records were dropped: the queue was full. */
  | 'overflow'
  /** Records were dropped: the service rejected them. */
  | 'rejected'
  /** Records were dropped: they were undelivered at close, or logged after it. */
  | 'closed'
  /** Records were lost: the spool could not read them. */
  | 'damaged'
  /** Records were dropped: they could not be redacted. */
  | 'unredactable'
  /** The spool's disk failed or recovered, or records remain in the spool. */
  | 'spool'
  /** A field in `tagFields` has many distinct values. */
  | 'tags'
  /** The `timestamp` of an event is not a time. */
  | 'timestamp'
  /** An event has `events`, like an element of `ingestJsonData()`. */
  | 'element'
  /** A hook or this package failed; logging continues. */
  | 'internal';

export interface Warning {
  /** Category of the warning. */
  readonly kind: WarningKind;
  /** Text of the warning as written to stderr, without the prefix `logclient:`. */
  readonly message: string;
}
