import type { IngestRecord } from '../record/record.ts';
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

/** Records to drop. Compressed records are only decoded if they are read. */
export interface LostRecords {
  readonly length: number;
  readonly read: () => readonly IngestRecord[];
  /** Called when the records will not be read anymore. */
  readonly release?: () => void;
}
