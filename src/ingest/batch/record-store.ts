import type { IngestRecord } from '../record/record.ts';
import type { Batch } from './batch.ts';

/**
 * Records that wait for their batch: first in, first out, in memory or on a disk.
 *
 * Records are numbered by arrival: the store always holds the numbers from {@link firstNumber} up, without a gap.
 */
export interface RecordStore {
  /** How many records wait. */
  readonly length: number;
  /** The bytes of their events. */
  readonly byteLength: number;
  /** The number of the oldest record, or of the next to come when the store is empty. */
  readonly firstNumber: number;
  /** When the oldest record came, in epoch milliseconds, or somewhat earlier; `undefined` when the store is empty. */
  readonly oldestArrival: number | undefined;
  /** Whether the next batch can't grow any more. */
  readonly hasFullBatch: boolean;
  push(record: IngestRecord, nowMs: number): void;
  /** Takes the oldest record. */
  shift(): IngestRecord | undefined;
  /** Takes the next batch. @returns `undefined` when the store is empty, or a disk gives nothing back now */
  takeBatch(): Batch | undefined;
}
