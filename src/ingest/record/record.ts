/** An event that is JSON text already, so that nothing is serialized twice. */
export interface IngestRecord {
  /** One event of an ingest request: JSON without newlines. A line of text is a string, any other event an object. */
  readonly eventText: string;
  /** The tags of the event, as JSON with sorted names. */
  readonly tagsText: string;
  /** The size of the event in a request, which is that of its text in UTF-8. */
  readonly byteLength: number;
  /** Writes the event in UTF-8: {@link byteLength} bytes, for which there has to be room. */
  writeTo(memory: Buffer, at: number): void;
  /** Returns the same record with its own memory. */
  kept(): IngestRecord;
}

/** @param eventText line breaks in it become spaces, for in JSON they can only stand between its parts. */
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

  kept(): IngestRecord {
    return this;
  }
}

/** A record that has its event in memory of its own, in UTF-8. */
class ByteRecord implements IngestRecord {
  readonly tagsText: string;
  readonly #event: Buffer;

  constructor(event: Buffer, tagsText: string) {
    this.#event = event;
    this.tagsText = tagsText;
  }

  get eventText(): string {
    return this.#event.toString();
  }

  get byteLength(): number {
    return this.#event.length;
  }

  writeTo(memory: Buffer, at: number): void {
    memory.set(this.#event, at);
  }

  kept(): IngestRecord {
    return this;
  }
}

/** A copy of a record that only shows memory of somebody else. */
export function copyRecord(record: IngestRecord): IngestRecord {
  const event = Buffer.allocUnsafe(record.byteLength);
  record.writeTo(event, 0);
  return new ByteRecord(event, record.tagsText);
}

/**
 * A record that is not made of a string first, but shows memory of somebody else. Whoever makes records of lines uses the
 * same one again and again, so that nothing is left for the garbage collector: it holds until it shows the next.
 */
export class EncodedRecord implements IngestRecord {
  tagsText = '{}';
  #memory: Buffer = NO_MEMORY;
  #start = 0;
  #end = 0;

  /** @param memory holds the event in UTF-8 from `start` to `end`, without line breaks. */
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

  kept(): IngestRecord {
    return copyRecord(this);
  }
}

const NO_MEMORY = Buffer.alloc(0);
