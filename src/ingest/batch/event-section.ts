import * as ascii from '../../core/ascii.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';
import { type BatchFormat, LINES } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';

export const SECTION_START = '{"tags":';
const SECTION_END = '\n]}';

/** Memory is doubled until it grows by this much. */
const MAX_GROWTH_BYTES = 256 * 1024;

/** After an event: a comma, unless it is a line of its own, and a newline. */
const MAX_SEPARATOR_BYTES = 2;

/** Before and after a section: punctuation of the body. */
const JOINT_BYTES = 1;

const NO_MEMORY = Buffer.alloc(0);

/**
 * Events in the body of a request, one per line, so that they can be read again: those with the same tags, or with any tags in
 * the order of arrival.
 */
export class EventSection {
  readonly #format: BatchFormat;
  memory: Buffer = NO_MEMORY;
  /** Tags of the first and of the last event. */
  #firstTags = '';
  #lastTags = '';
  /** The first event. */
  #start = 0;
  #end = 0;

  /** @param usualBytes initial size of the memory; 0 for that of the first event. */
  constructor(format: BatchFormat, usualBytes: number) {
    this.#format = format;
    if (usualBytes > 0) this.#makeRoom(usualBytes);
  }

  push(record: IngestRecord): void {
    const { byteLength, tagsText } = record;
    if (this.isEmpty) this.#begin(tagsText);
    else if (tagsText !== this.#lastTags && this.#format !== LINES) this.#change(tagsText);
    this.#makeRoom(byteLength + MAX_SEPARATOR_BYTES + SECTION_END.length + JOINT_BYTES);
    const { memory } = this;
    record.writeTo(memory, this.#end);
    let end = this.#end + byteLength;
    if (this.#format !== LINES) memory[end++] = ascii.COMMA;
    memory[end++] = ascii.NEWLINE;
    this.#end = end;
  }

  get isEmpty(): boolean {
    return this.#start === this.#end;
  }

  /** Removes the first record. There must be one. */
  shift(): IngestRecord {
    const line = this.#shiftLine();
    const record = createRecord(line.endsWith(',') ? line.slice(0, -1) : line, this.#firstTags);
    if (!this.isEmpty && this.memory[this.#start] === ascii.CLOSE_BRACKET)
      this.#firstTags = this.#shiftLine().slice(`]},${SECTION_START}`.length, -this.#format.length);
    return record;
  }

  /** Returns the finished section between these characters. Nothing can be added later. */
  finish(opening: '[' | ',', closing: ']' | ''): Buffer {
    if (this.#format === LINES) return this.memory.subarray(this.#start, this.#end - 1);
    const header = opening + this.#header(this.#firstTags);
    const start = this.#start - Buffer.byteLength(header);
    this.memory.write(header, start);
    const end = this.#end - MAX_SEPARATOR_BYTES;
    const written = this.memory.write(`${SECTION_END}${closing}`, end, 'latin1');
    return this.memory.subarray(start, end + written);
  }

  /** Leaves space for the header, which is written at the end, because the first events may be removed. */
  #begin(tagsText: string): void {
    this.#firstTags = tagsText;
    this.#lastTags = tagsText;
    this.#start = JOINT_BYTES + Buffer.byteLength(this.#header(tagsText));
    this.#end = this.#start;
  }

  /** Continues with other tags. */
  #change(tagsText: string): void {
    this.#lastTags = tagsText;
    const text = `${SECTION_END},${this.#header(tagsText)}`;
    this.#makeRoom(Buffer.byteLength(text));
    this.#end -= MAX_SEPARATOR_BYTES;
    this.#end += this.memory.write(text, this.#end);
  }

  #header(tagsText: string): string {
    return this.#format === LINES ? '' : `${SECTION_START}${tagsText}${this.#format}\n`;
  }

  #shiftLine(): string {
    const end = this.memory.indexOf(ascii.NEWLINE, this.#start);
    const line = this.memory.toString('utf8', this.#start, end);
    this.#start = end + 1;
    return line;
  }

  #makeRoom(bytes: number): void {
    const needed = this.#end + bytes;
    if (needed <= this.memory.length) return;
    const before = this.memory;
    this.memory = batchMemory.take(
      Math.max(needed, before.length + Math.min(before.length, MAX_GROWTH_BYTES)),
    );
    before.copy(this.memory, 0, 0, this.#end);
    batchMemory.giveBack(before);
  }
}
