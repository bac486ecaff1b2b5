import type { IngestRecord } from '../record/record.ts';
import type { Batch } from './batch.ts';
import { BatchBuilder, type BatchLimits } from './batch-builder.ts';
import type { BatchFormat } from './batch-format.ts';
import type { BatchIds } from './batch-ids.ts';

interface OpenBatch {
  readonly builder: BatchBuilder;
  readonly id: string;
}

/** Queue in memory. Records are written into their batch as they arrive. */
export class BatchQueue {
  readonly #limits: BatchLimits;
  readonly #format: BatchFormat | undefined;
  readonly #batchIds: BatchIds | undefined;
  /** Only the last one grows. */
  readonly #batches: OpenBatch[] = [];
  firstNumber = 0;
  length = 0;
  byteLength = 0;

  /** @param limits can change; a batch that has started may exceed limits that shrink. */
  constructor(limits: BatchLimits, format?: BatchFormat, batchIds?: BatchIds) {
    this.#limits = limits;
    this.#format = format;
    this.#batchIds = batchIds;
  }

  get oldestArrival(): number | undefined {
    return this.#batches[0]?.builder.startedAt;
  }

  get hasFullBatch(): boolean {
    const [oldest] = this.#batches;
    return oldest !== undefined && (this.#batches.length > 1 || oldest.builder.isFull(this.#limits));
  }

  push(record: IngestRecord, nowMs: number): void {
    let batch = this.#batches.at(-1) ?? this.#begin(nowMs);
    let marked = this.#marked(record, batch);
    if (!batch.builder.hasRoom(marked, this.#limits)) {
      batch = this.#begin(nowMs);
      marked = this.#marked(record, batch);
    }
    batch.builder.push(marked);
    this.length++;
    this.byteLength += marked.byteLength;
  }

  /** Removes the oldest record. */
  dropOldest(): IngestRecord[] {
    const [oldest] = this.#batches;
    if (oldest === undefined) return [];
    const record = oldest.builder.shift();
    if (oldest.builder.length === 0) this.#batches.shift();
    this.#took(1, record.byteLength);
    return [record];
  }

  takeBatch(): Batch | undefined {
    const batch = this.#batches.shift()?.builder.finish();
    if (batch !== undefined) this.#took(batch.length, batch.byteLength);
    return batch;
  }

  #begin(nowMs: number): OpenBatch {
    const batch = { builder: new BatchBuilder(nowMs, this.#format), id: this.#batchIds?.next() ?? '' };
    this.#batches.push(batch);
    return batch;
  }

  #marked(record: IngestRecord, { id }: OpenBatch): IngestRecord {
    return this.#batchIds?.mark(record, id, this.firstNumber + this.length) ?? record;
  }

  #took(length: number, byteLength: number): void {
    this.firstNumber += length;
    this.length -= length;
    this.byteLength -= byteLength;
  }
}
