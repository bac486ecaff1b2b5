import { CLOSE_BRACE } from '../../src/ingest/record/json-characters.ts';
import { copyRecord, type IngestRecord } from '../../src/ingest/record/record.ts';

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * An event made of a head and of what is left of a line. They are put together where the event is written: nothing is
 * copied before. The same object shows one line after the other, and holds until the next.
 */
export class SplicedRecord implements IngestRecord {
  tagsText = '{}';
  byteLength = 0;
  #head = NOTHING;
  #line = NOTHING;
  #restStart = 0;
  #restEnd = 0;

  /**
   * @param head in UTF-8, up to the members in `line` from `restStart` on.
   * @param restEnd the place behind the brace that closes the line's object.
   */
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
    memory[at + this.byteLength - 1] = CLOSE_BRACE;
  }

  kept(): IngestRecord {
    return copyRecord(this);
  }
}
