import { gunzipSync } from 'node:zlib';
import { createRecord, type IngestRecord } from '../record/record.ts';
import { type BatchFormat, SECTION_START } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';
import { type Compression, type EncodedBatch, encodeBatch, encodeBatchSync } from './encoded-batch.ts';

/** What is known about the failures of a request. Only `FailurePolicy` reads and writes it. */
const NO_FAILURES = {
  /** Failures in a row that may be its fault, including those of the request that it is a part of. */
  failures: 0,
  /** Number of the response that was its latest failure; 0 if there is none. */
  failedAt: 0,
  /** True if others were accepted after it, or the request that it is a part of, had failed several times. */
  isSuspect: false,
  /** Failures in a row with evidence that the service accepts other records. */
  proofs: 0,
  /** Failures in a row without it. */
  unproven: 0,
  /** Counters of evidence at the latest failure. */
  accepted: 0,
  failed: 0,
  /** How often one of its records was tried alone, or, when time was short, a request took too long. */
  turns: 0,
  /** Number of the latest response to it, or to one of its records. */
  triedAt: 0,
  /** True during the pause after a failure. */
  isResting: false,
};

/** Records that travel in one request. */
export class Batch {
  readonly format: BatchFormat;
  readonly length: number;
  /** Size of their events, without tags and punctuation. */
  readonly byteLength: number;
  /** Number of its first record. */
  firstNumber = 0;
  history = { ...NO_FAILURES };
  #body: Buffer;
  /** Contains the body. Returned when it is encoded, because compressed batches need a fraction of the memory. */
  #memory: Buffer | undefined;
  #encoded: EncodedBatch | undefined;
  #encoding: Promise<EncodedBatch> | undefined;

  constructor(
    body: Buffer,
    { format, length, byteLength }: Pick<Batch, 'format' | 'length' | 'byteLength'>,
    memory?: Buffer,
  ) {
    this.#body = body;
    this.#memory = memory;
    this.format = format;
    this.length = length;
    this.byteLength = byteLength;
  }

  /** Body of an ingest request: a section for each change of the tags, one record per line. */
  get body(): Buffer {
    if (this.#encoded === undefined) return this.#body;
    const { body, isCompressed } = this.#encoded;
    return Buffer.from(isCompressed ? gunzipSync(body) : body);
  }

  /** Memory use. Excludes tags and punctuation, so that encoding never increases it. */
  get heldBytes(): number {
    return Math.min(this.byteLength, this.#encoded?.body.byteLength ?? this.byteLength);
  }

  /** Compresses it once. */
  encode(compression: Compression): Promise<EncodedBatch> {
    this.#encoding ??= encodeBatch(this, compression).then((encoded) => this.#encodedAs(encoded));
    return this.#encoding;
  }

  encodeSync(compression: Compression): EncodedBatch {
    return this.#encoded ?? this.#encodedAs(encodeBatchSync(this, compression));
  }

  /** Reads the records. Their JSON is unchanged, whether they are valid JSON or not. */
  records(): IngestRecord[] {
    const records: IngestRecord[] = [];
    let tagsText = '';
    for (const line of this.body.toString().split('\n')) {
      if (line.startsWith('{') || line.startsWith('"')) {
        records.push(createRecord(line.endsWith(',') ? line.slice(0, -1) : line, tagsText));
      } else if (line.endsWith(this.format)) {
        const start = line.indexOf(SECTION_START) + SECTION_START.length;
        tagsText = line.slice(start, -this.format.length);
      }
    }
    return records;
  }

  /** The first one stays: a process that exits encodes again what is being encoded. */
  #encodedAs(encoded: EncodedBatch): EncodedBatch {
    if (this.#memory !== undefined) batchMemory.giveBack(this.#memory);
    this.#memory = undefined;
    this.#body = Buffer.alloc(0);
    this.#encoded ??= encoded;
    return this.#encoded;
  }
}
