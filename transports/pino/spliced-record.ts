import * as ascii from '../../src/ingest/record/ascii.ts';
import { EncodedRecord, type IngestRecord } from '../../src/ingest/record/record.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/** An event with a new head and the rest of a line, copied when it is written. Valid until the next line. */
export class SplicedRecord implements IngestRecord {
  tagsText = '{}';
  byteLength = 0;
  #head = NOTHING;
  #line = NOTHING;
  #restStart = 0;
  #restEnd = 0;

  /** @param head start of the event in UTF-8. The members and closing brace follow from `restStart` to `restEnd`. */
  show(head: Buffer, line: Buffer, restStart: number, restEnd: number, tagsText: string): this {
    this.#head = head;
    this.#line = line;
    this.#restStart = restStart;
    this.#restEnd = restEnd;
    this.byteLength = head.length + (restEnd - restStart) + 1;
    this.tagsText = tagsText;
    return this;
  }

  get eventText(): string {
    const memory = Buffer.allocUnsafe(this.byteLength);
    this.writeTo(memory, 0);
    return memory.toString();
  }

  writeTo(memory: Buffer, at: number): void {
    memory.set(this.#head, at);
    this.#line.copy(memory, at + this.#head.length, this.#restStart, this.#restEnd);
    memory[at + this.byteLength - 1] = ascii.CLOSE_BRACE;
  }

  kept(): IngestRecord {
    return EncodedRecord.copyOf(this);
  }
}
