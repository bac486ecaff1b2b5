import { createRecord, type IngestRecord } from '../record/record.ts';
import { type BatchFormat, SECTION_START } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';

export interface BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  /** Size of their events, without tags and punctuation. */
  readonly byteLength: number;
}

/** Records that travel in one request. */
export class Batch implements BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  readonly byteLength: number;
  /** Body of an ingest request: a section for each change of the tags, one record per line. */
  body: Buffer;
  #memory: Buffer | undefined;

  /** @param memory contains the body. Returned to the pool by {@link release}. */
  constructor(body: Buffer, { format, length, byteLength }: BatchInfo, memory?: Buffer) {
    this.format = format;
    this.body = body;
    this.#memory = memory;
    this.length = length;
    this.byteLength = byteLength;
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

  /** Releases the memory. The batch is empty afterwards. */
  release(): void {
    if (this.#memory !== undefined) batchMemory.giveBack(this.#memory);
    this.#memory = undefined;
    this.body = Buffer.alloc(0);
  }
}
