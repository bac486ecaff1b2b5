import type { DropReason } from './ingester-stats.ts';

/** Records that were given up. */
export interface DroppedRecords {
  /**
   * Why: no room in the queue, refused by the service, left when the ingester closed, or not given back by the disk of
   * the spool.
   */
  readonly reason: DropReason;
  /** How many. */
  readonly records: number;
  /** The events, as the JSON that would have been sent. */
  readonly events: readonly string[];
}
