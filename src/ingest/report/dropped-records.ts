import type { DropReason } from './ingester-stats.ts';

/** Dropped records, passed to `onDrop`. */
export interface DroppedRecords {
  /**
   * Reason: the queue was full, the service rejected them, they were undelivered at close, or they were unreadable in
   * the spool.
   */
  readonly reason: DropReason;
  /** Number of records. */
  readonly records: number;
  /** Events as JSON strings. */
  readonly events: readonly string[];
}
