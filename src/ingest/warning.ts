/** What a warning is about. */
export type WarningKind =
  /** The service does not take records at the moment; they are kept and sent again. */
  | 'retry'
  /** Somebody has to mend a token or an address; records are kept meanwhile. */
  | 'attention'
  /** Records were given up: the queue was full. */
  | 'overflow'
  /** Records were given up: the service refuses them. */
  | 'rejected'
  /** Records were given up: they were left when the ingester closed. */
  | 'closed'
  /** Records were given up: the disk of the spool doesn't give them back. */
  | 'damaged'
  /** The spool: its disk fails, or works again; records are left in it. */
  | 'spool'
  /** Something in this package failed; logging goes on. */
  | 'internal';

export interface Warning {
  /** What it is about. */
  readonly kind: WarningKind;
  /** What stderr is told otherwise, without the `logclient:` before it. */
  readonly message: string;
}
