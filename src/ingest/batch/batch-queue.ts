import type { IngestRecord } from '../record/record.ts';
import type { Batch } from './batch.ts';
import { BatchBuilder, type BatchLimits } from './batch-builder.ts';
import type { BatchFormat } from './batch-format.ts';

/** Queue in memory. Records are written into their batch as they arrive. */
export class BatchQueue {
  readonly #limits: BatchLimits;
  readonly #format: BatchFormat | undefined;
  /** Only the last one grows. */
  readonly #batches: BatchBuilder[] = [];
  firstNumber = 0;
  length = 0;
  byteLength = 0;

  /** @param limits can change; a batch that has started may exceed limits that shrink. */
  constructor(limits: BatchLimits, format?: BatchFormat) {
    this.#limits = limits;
    this.#format = format;
  }

  get oldestArrival(): number | undefined {
    return this.#batches[0]?.startedAt;
  }

  get hasFullBatch(): boolean {
    const [oldest] = this.#batches;
    return oldest !== undefined && (this.#batches.length > 1 || oldest.isFull(this.#limits));
  }

  push(record: IngestRecord, nowMs: number): void {
    let batch = this.#batches.at(-1);
    if (batch === undefined || !batch.hasRoom(record, this.#limits)) {
      batch = new BatchBuilder(nowMs, this.#format);
      this.#batches.push(batch);
    }
    batch.push(record);
    this.length++;
    this.byteLength += record.byteLength;
  }

  /** Removes the oldest record. */
  dropOldest(): IngestRecord[] {
    const [oldest] = this.#batches;
    if (oldest === undefined) return [];
    const record = oldest.shift();
    if (oldest.length === 0) this.#batches.shift();
    this.#took(1, record.byteLength);
    return [record];
  }

  takeBatch(): Batch | undefined {
    const batch = this.#batches.shift()?.finish();
    if (batch !== undefined) this.#took(batch.length, batch.byteLength);
    return batch;
  }

  #took(length: number, byteLength: number): void {
    this.firstNumber += length;
    this.length -= length;
    this.byteLength -= byteLength;
  }
}
