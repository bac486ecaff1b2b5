import type { IngestRecord } from '../record/record.ts';
import type { LostRecords } from '../report/lost-records.ts';
import type { Batch, BatchInfo } from './batch.ts';
import { halve } from './batch-builder.ts';
import type { BatchFormat } from './batch-format.ts';
import {
  type Compression,
  decodeBatch,
  type EncodedBatch,
  encodeBatch,
  encodeBatchSync,
  releaseEncoded,
} from './encoded-batch.ts';

/** What travels in one request: a batch, or a part of one that the service would not take as a whole. */
class BatchPart implements BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  readonly byteLength: number;
  /** Forgotten when they are encoded: compressed, a waiting batch takes a fraction of the memory. */
  #batch: Batch | undefined;
  #encoded: EncodedBatch | undefined;
  #encoding: Promise<EncodedBatch> | undefined;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.format = batch.format;
    this.length = batch.length;
    this.byteLength = batch.byteLength;
  }

  /** Tags and punctuation are not counted, so it is never more than before the encoding. */
  get heldBytes(): number {
    const { body, memory } = this.#encoded ?? {};
    return Math.min(this.byteLength, memory?.length ?? body?.byteLength ?? this.byteLength);
  }

  encode(compression: Compression): Promise<EncodedBatch> {
    this.#encoding ??= encodeBatch(this.batch(), compression).then((encoded) => this.#encodedAs(encoded));
    return this.#encoding;
  }

  encodeSync(compression: Compression): EncodedBatch {
    return this.#encoded ?? this.#encodedAs(encodeBatchSync(this.batch(), compression));
  }

  batch(): Batch {
    return this.#batch ?? decodeBatch(this.#encoded!, this);
  }

  /** Nobody asks for it any more. */
  release(): void {
    if (this.#encoded !== undefined) releaseEncoded(this.#encoded);
    this.#encoded = undefined;
  }

  #encodedAs(encoded: EncodedBatch): EncodedBatch {
    this.#encoded = encoded;
    this.#batch?.release();
    this.#batch = undefined;
    return encoded;
  }
}

/**
 * Records that left the queue together, on their way to the service. They travel in one request, or in several where
 * the service wants it so, one behind the other.
 */
export class SplittableBatch {
  readonly #compression: Compression;
  /** What is not settled, in the order of the records. */
  readonly #parts: BatchPart[];
  readonly #endNumber: number;
  #length: number;

  /** @param firstNumber the number of the batch's first record */
  constructor(batch: Batch, firstNumber: number, compression: Compression) {
    this.#compression = compression;
    this.#parts = [new BatchPart(batch)];
    this.#endNumber = firstNumber + batch.length;
    this.#length = batch.length;
  }

  /** How many records are neither delivered nor given up. */
  get length(): number {
    return this.#length;
  }

  /** The number of the first of them. */
  get firstNumber(): number {
    return this.#endNumber - this.#length;
  }

  /** The memory that they take. */
  get heldBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.heldBytes, 0);
  }

  /** The records of the next request. */
  get nextLength(): number {
    return this.#parts[0]?.length ?? 0;
  }

  /** The bytes of their events. */
  get nextEventBytes(): number {
    return this.#parts[0]?.byteLength ?? 0;
  }

  /** The next request; can be asked for ahead of time, and again. */
  encodeNext(): Promise<EncodedBatch> {
    return this.#parts[0]!.encode(this.#compression);
  }

  /** As {@link encodeNext}, while this thread waits. */
  encodeNextSync(): EncodedBatch {
    return this.#parts[0]!.encodeSync(this.#compression);
  }

  /** The records of the next request are delivered or given up. @returns them */
  settleNext(): LostRecords {
    const part = this.#parts.shift();
    const length = part?.length ?? 0;
    this.#length -= length;
    return { length, read: () => part?.batch().records() ?? [] };
  }

  /** Halves the next request. @returns false for one that holds a single record */
  splitNext(): boolean {
    const [part] = this.#parts;
    if (part === undefined || part.length < 2) return false;
    const halves = halve(part.batch()).map((half) => new BatchPart(half));
    this.#parts.splice(0, 1, ...halves);
    return true;
  }

  /** Lets its memory be used again. It was never sent, and nobody asks for its records any more. */
  release(): void {
    for (const part of this.#parts.splice(0)) part.release();
  }

  /** All records that are neither delivered nor given up. */
  records(): IngestRecord[] {
    return this.#parts.flatMap((part) => part.batch().records());
  }
}
