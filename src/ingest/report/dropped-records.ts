import type { DropReason } from './ingester-stats.ts';

/** Dropped records, passed to `onDrop`. */
export interface DroppedRecords {
  /**
   * Why the records were dropped. `overflow`: the queue was full. `rejected`: the service rejected them. `closed`: they
   * were undelivered at close or logged after it. `damaged`: they were unreadable in the spool.
   */
  readonly reason: DropReason;
  /** Number of dropped records. */
  readonly records: number;
  /** Dropped events as JSON strings. */
  readonly events: readonly string[];
}
