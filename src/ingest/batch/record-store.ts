import type { IngestRecord } from '../record/record.ts';
import type { Batch } from './batch.ts';

/**
 * FIFO queue of records that wait for their batch, in memory or on disk.
 *
 * Records are numbered by arrival. The store contains the numbers from {@link firstNumber} on, without gaps.
 */
export interface RecordStore {
  /** Number of waiting records. */
  readonly length: number;
  /** Total size of their events, in bytes. */
  readonly byteLength: number;
  /** Number of the oldest record, or of the next one if the store is empty. */
  readonly firstNumber: number;
  /** Arrival of the oldest record in epoch milliseconds, or slightly earlier; `undefined` if the store is empty. */
  readonly oldestArrival: number | undefined;
  /** True if the next batch can't grow. */
  readonly hasFullBatch: boolean;
  push(record: IngestRecord, nowMs: number): void;
  /** Removes the oldest record. */
  shift(): IngestRecord | undefined;
  /** Removes the next batch. @returns `undefined` if the store is empty, or the disk can't be read at the moment. */
  takeBatch(): Batch | undefined;
}
