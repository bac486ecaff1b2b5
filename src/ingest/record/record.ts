/** Tests the bytes from `start` to `end`. */
export type ByteTest = (bytes: Uint8Array, start: number, end: number) => boolean;

/** An event that is already serialized, with its tags. */
export interface IngestRecord {
  /** One event of an ingest request: JSON without newlines. A line of text is a string, any other event an object. */
  readonly eventText: string;
  /** The tags of the event, as JSON with sorted names. */
  readonly tagsText: string;
  /** Size of the event in UTF-8. */
  readonly byteLength: number;
  /** Writes the event in UTF-8. Needs {@link byteLength} bytes of memory. */
  writeTo(memory: Buffer, at: number): void;
  /** Whether `test` is true for the event in UTF-8, or for one of its parts, which end between two members. */
  some(test: ByteTest): boolean;
  /** Returns the same record with its own memory. */
  kept(): IngestRecord;
}

/** @param eventText JSON of the event. Newlines, which JSON only allows between tokens, are replaced with spaces. */
export function createRecord(eventText: string, tagsText: string): IngestRecord {
  return new TextRecord(eventText.includes('\n') ? eventText.replaceAll('\n', ' ') : eventText, tagsText);
}

class TextRecord implements IngestRecord {
  readonly eventText: string;
  readonly tagsText: string;
  readonly byteLength: number;

  constructor(eventText: string, tagsText: string) {
    this.eventText = eventText;
    this.tagsText = tagsText;
    this.byteLength = Buffer.byteLength(eventText);
  }

  writeTo(memory: Buffer, at: number): void {
    memory.write(this.eventText, at);
  }

  some(test: ByteTest): boolean {
    if (this.byteLength > textMemory.length) return test(Buffer.from(this.eventText), 0, this.byteLength);
    this.writeTo(textMemory, 0);
    return test(textMemory, 0, this.byteLength);
  }

  kept(): IngestRecord {
    return this;
  }
}

/** A record of UTF-8 bytes in memory that may be reused. Valid until the next call of {@link show}. */
export class EncodedRecord implements IngestRecord {
  tagsText = '{}';
  #memory: Buffer = NO_MEMORY;
  #start = 0;
  #end = 0;
  #ownsMemory = false;

  static copyOf(record: IngestRecord): EncodedRecord {
    const event = Buffer.allocUnsafe(record.byteLength);
    record.writeTo(event, 0);
    const copy = new EncodedRecord().show(event, 0, event.length, record.tagsText);
    copy.#ownsMemory = true;
    return copy;
  }

  /** @param memory contains the event in UTF-8 from `start` to `end`, without newlines. */
  show(memory: Buffer, start: number, end: number, tagsText: string): this {
    this.#memory = memory;
    this.#start = start;
    this.#end = end;
    this.tagsText = tagsText;
    return this;
  }

  get eventText(): string {
    return this.#memory.toString('utf8', this.#start, this.#end);
  }

  get byteLength(): number {
    return this.#end - this.#start;
  }

  writeTo(memory: Buffer, at: number): void {
    this.#memory.copy(memory, at, this.#start, this.#end);
  }

  some(test: ByteTest): boolean {
    return test(this.#memory, this.#start, this.#end);
  }

  kept(): IngestRecord {
    return this.#ownsMemory ? this : EncodedRecord.copyOf(this);
  }
}

const textMemory = Buffer.allocUnsafeSlow(4 * 1024);

const NO_MEMORY = Buffer.alloc(0);
