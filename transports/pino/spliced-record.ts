import * as ascii from '../../src/core/ascii.ts';
import { type ByteTest, EncodedRecord, type IngestRecord } from '../../src/ingest/record/record.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/** An event with a new head and the rest of a line, copied when it is written. Valid until the next line. */
export class SplicedRecord implements IngestRecord {
  tagsText = '{}';
  byteLength = 0;
  #head = NOTHING;
  #line = NOTHING;
  #restStart = 0;
  #restEnd = 0;
  /** A head for which {@link some} is false. */
  #testedHead = NOTHING;

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

  some(test: ByteTest): boolean {
    const head = this.#head;
    // Only the digits of the timestamp change in a head that is used again.
    if (head !== this.#testedHead && test(head, 0, head.length)) return true;
    this.#testedHead = head;
    return test(this.#line, this.#restStart, this.#restEnd);
  }

  kept(): IngestRecord {
    return EncodedRecord.copyOf(this);
  }
}
