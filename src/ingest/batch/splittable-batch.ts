import type { IngestRecord } from '../record/record.ts';
import type { Refusals } from '../refusals.ts';
import type { LostRecords } from '../report/delivery-event.ts';
import type { Batch, BatchInfo } from './batch.ts';
import { split } from './batch-builder.ts';
import type { BatchFormat } from './batch-format.ts';
import {
  type Compression,
  decodeBatch,
  type EncodedBatch,
  encodeBatch,
  encodeBatchSync,
  releaseEncoded,
} from './encoded-batch.ts';

/** What one request sends: a batch, or a part of a batch that was rejected or refused. */
class BatchPart implements BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  readonly byteLength: number;
  /** Number of refusals that may be its fault: the first one, and those sent after others had been accepted since then. */
  refusals = 0;
  /** Number of the response that refused it first. */
  refusedAt: number | undefined;
  /** Released when it is encoded, because compressed batches need a fraction of the memory. */
  #batch: Batch | undefined;
  #encoded: EncodedBatch | undefined;
  #encoding: Promise<EncodedBatch> | undefined;

  constructor(batch: Batch) {
    this.#batch = batch;
    this.format = batch.format;
    this.length = batch.length;
    this.byteLength = batch.byteLength;
  }

  /** Memory use. Excludes tags and punctuation, so that encoding never increases it. */
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

  /** Releases the memory. The part must not be used afterwards. */
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

/** Records that are sent together, in one request or in several consecutive ones if the whole is rejected or refused. */
export class SplittableBatch {
  readonly #compression: Compression;
  /** Unsettled parts, in order. */
  readonly #parts: BatchPart[];
  readonly #endNumber: number;
  /** Number of unsettled records. */
  length: number;
  /** The refused part whose record at the front is sent alone. */
  #probed: { readonly whole: BatchPart; readonly parts: number } | undefined;
  #probes = 0;
  /** True once other records were accepted after a refusal of this batch. */
  #isAtFault = false;
  /** `acceptedAt` when the next request was prepared. Its refusal may arrive long after the service has recovered. */
  #acceptedBefore = 0;

  constructor(batch: Batch, firstNumber: number, compression: Compression) {
    this.#compression = compression;
    this.#parts = [new BatchPart(batch)];
    this.#endNumber = firstNumber + batch.length;
    this.length = batch.length;
  }

  get firstNumber(): number {
    return this.#endNumber - this.length;
  }

  /** Memory use of the unsettled records, in bytes. */
  get heldBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.heldBytes, 0);
  }

  get nextLength(): number {
    return this.#parts[0]?.length ?? 0;
  }

  get nextEventBytes(): number {
    return this.#parts[0]?.byteLength ?? 0;
  }

  /** Encodes the next request once. */
  encodeNext(): Promise<EncodedBatch> {
    return this.#parts[0]!.encode(this.#compression);
  }

  encodeNextSync(): EncodedBatch {
    return this.#parts[0]!.encodeSync(this.#compression);
  }

  /**
   * Splits the next request: in half if others were accepted since it was refused. If the service refuses all, a single record is
   * sent, which shows whether the service accepts anything.
   */
  isolateCause({ acceptedAt, needOthers, inARow }: Refusals): void {
    const [part] = this.#parts;
    this.#acceptedBefore = acceptedAt;
    if (part === undefined || part.length < 2) return;
    const { refusedAt = Number.POSITIVE_INFINITY } = part;
    this.#isAtFault ||= acceptedAt > refusedAt;
    if (acceptedAt > refusedAt) this.splitNext();
    else if (needOthers || (this.#isAtFault && inARow > 0 && part.refusals > 0)) {
      const index = Math.floor(this.#probes++ * 0.618 * part.length) % part.length; // Spread over the part.
      const parts = split(part.batch(), index).map((batch) => new BatchPart(batch));
      parts.unshift(...parts.splice(index === 0 ? 0 : 1, 1));
      this.#parts.splice(0, 1, ...parts);
      this.#probed = { whole: part, parts: parts.length };
    }
  }

  /** Moves the next request, which was refused, behind the others. @returns true if it is a record that is at fault. */
  nextRefused(refusals: Refusals): boolean {
    const part = this.#parts[0]!;
    if (this.#probed !== undefined) this.#parts.splice(0, this.#probed.parts, this.#probed.whole);
    else {
      if (part.refusals === 0 || this.#acceptedBefore > part.refusedAt!) part.refusals++;
      part.refusedAt ??= refusals.responses;
      if (refusals.areProof(part.refusals) && part.length === 1) return true;
    }
    this.#probed = undefined;
    this.#parts.push(...this.#parts.splice(0, 1));
    return false;
  }

  /** Removes the records of the next request, which are delivered or dropped. @returns them. */
  settleNext(): LostRecords {
    this.#isAtFault ||= this.#probed !== undefined;
    this.#probed = undefined;
    const part = this.#parts.shift();
    const length = part?.length ?? 0;
    this.length -= length;
    return { length, read: () => part?.batch().records() ?? [] };
  }

  /** Halves the next request, or isolates the record at an index. @returns false for a single record. */
  splitNext(isolated?: number): boolean {
    const [part] = this.#parts;
    if (part === undefined || part.length < 2) return false;
    const parts = split(part.batch(), isolated).map((batch) => new BatchPart(batch));
    this.#parts.splice(0, 1, ...parts);
    return true;
  }

  /** Releases the memory of a batch that is dropped. Its records must not be read afterwards. */
  release(): void {
    for (const part of this.#parts.splice(0)) part.release();
  }

  records(): IngestRecord[] {
    return this.#parts.flatMap((part) => part.batch().records());
  }
}
