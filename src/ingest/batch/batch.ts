import { createRecord, type IngestRecord } from '../record/record.ts';
import type { BatchFormat } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';
import { SECTION_START } from './event-section.ts';

export interface BatchInfo {
  readonly format: BatchFormat;
  /** How many records there are. */
  readonly length: number;
  /** The size of their events; the request has the tags and a little punctuation on top. */
  readonly byteLength: number;
}

/** Records that travel in one request. */
export class Batch implements BatchInfo {
  readonly format: BatchFormat;
  readonly length: number;
  readonly byteLength: number;
  /**
   * The body of an ingest request: one group for each set of tags, in which the records keep their order, each on a
   * line of its own.
   */
  body: Buffer;
  #memory: Buffer | undefined;

  /** @param memory is given back on {@link release}, when the body is in such memory. */
  constructor(body: Buffer, { format, length, byteLength }: BatchInfo, memory?: Buffer) {
    this.format = format;
    this.body = body;
    this.#memory = memory;
    this.length = length;
    this.byteLength = byteLength;
  }

  /** Reads the records again. Their texts are those that went in, byte for byte, whether they are good JSON or not. */
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

  /** Lets the memory be used again. The batch is empty afterwards. */
  release(): void {
    if (this.#memory !== undefined) batchMemory.giveBack(this.#memory);
    this.#memory = undefined;
    this.body = Buffer.alloc(0);
  }
}
