import type { IngestRecord } from '../record/record.ts';
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

/** What is known about the failures of a request. Only `FailurePolicy` reads and writes it. */
export interface FailureHistory {
  /** Failures in a row that may be its fault, including those of the request that it is a part of. */
  failures: number;
  /** Number of the response that was its latest failure; 0 if there is none. */
  failedAt: number;
  /** True if others were accepted after it, or the request that it is a part of, had failed several times. */
  isSuspect: boolean;
  /** Failures in a row with evidence that the service accepts other records. */
  proofs: number;
  /** Failures in a row without it. */
  unproven: number;
  /** Counters of evidence at the latest failure. */
  accepted: number;
  failed: number;
  /** How many of its records were tried alone. */
  probes: number;
  /** Number of the latest response to it, or to one of its records. */
  triedAt: number;
  /** True during the pause after a failure. */
  isResting: boolean;
}

const NO_FAILURES: FailureHistory = {
  failures: 0,
  failedAt: 0,
  isSuspect: false,
  proofs: 0,
  unproven: 0,
  accepted: 0,
  failed: 0,
  probes: 0,
  triedAt: 0,
  isResting: false,
};

/** Records that one request sends. */
export class PackedBatch implements BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  readonly byteLength: number;
  /** Number of its first record. */
  readonly firstNumber: number;
  history: FailureHistory;
  readonly #compression: Compression;
  /** Released when it is encoded, because compressed batches need a fraction of the memory. */
  #batch: Batch | undefined;
  #encoded: EncodedBatch | undefined;
  #encoding: Promise<EncodedBatch> | undefined;

  constructor(batch: Batch, firstNumber: number, compression: Compression, history = NO_FAILURES) {
    this.#batch = batch;
    this.#compression = compression;
    this.format = batch.format;
    this.length = batch.length;
    this.byteLength = batch.byteLength;
    this.firstNumber = firstNumber;
    this.history = { ...history };
  }

  /** Memory use. Excludes tags and punctuation, so that encoding never increases it. */
  get heldBytes(): number {
    const { body, memory } = this.#encoded ?? {};
    return Math.min(this.byteLength, memory?.length ?? body?.byteLength ?? this.byteLength);
  }

  /** Compresses it once. */
  encode(): Promise<EncodedBatch> {
    this.#encoding ??= encodeBatch(this.#decoded(), this.#compression).then((encoded) =>
      this.#encodedAs(encoded),
    );
    return this.#encoding;
  }

  encodeSync(): EncodedBatch {
    return this.#encoded ?? this.#encodedAs(encodeBatchSync(this.#decoded(), this.#compression));
  }

  /** Halves it, or isolates the record at an index. At least two records, the older ones first. */
  split(isolated?: number): PackedBatch[] {
    let number = this.firstNumber;
    return split(this.#decoded(), isolated).map((batch) => {
      const part = new PackedBatch(batch, number, this.#compression, this.history);
      number += part.length;
      return part;
    });
  }

  records(): IngestRecord[] {
    return this.#decoded().records();
  }

  lost(): LostRecords {
    return { length: this.length, read: () => this.records() };
  }

  /** Releases the memory. The records must not be read afterwards. */
  release(): void {
    if (this.#encoded !== undefined) releaseEncoded(this.#encoded);
    this.#encoded = undefined;
  }

  #decoded(): Batch {
    return this.#batch ?? decodeBatch(this.#encoded!, this);
  }

  #encodedAs(encoded: EncodedBatch): EncodedBatch {
    this.#encoded = encoded;
    this.#batch?.release();
    this.#batch = undefined;
    return encoded;
  }
}
