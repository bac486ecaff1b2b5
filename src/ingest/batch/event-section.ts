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

/** Events with the same tags in the body of a request, one per line, so that they can be read again. */
export class EventSection {
  readonly #tagsText: string;
  readonly #header: Buffer;
  readonly #isLines: boolean;
  memory: Buffer;
  /** The first event. */
  #start: number;
  #end: number;

  /** @param usualBytes initial size of the memory for events. */
  constructor(tagsText: string, format: BatchFormat, usualBytes: number) {
    this.#tagsText = tagsText;
    this.#isLines = format === LINES;
    this.#header = Buffer.from(this.#isLines ? '' : `${SECTION_START}${tagsText}${format}\n`);
    this.#start = JOINT_BYTES + this.#header.length;
    this.#end = this.#start;
    this.memory = batchMemory.take(this.#start + usualBytes);
  }

  push(record: IngestRecord): void {
    const { byteLength } = record;
    this.#makeRoom(byteLength + MAX_SEPARATOR_BYTES + SECTION_END.length + JOINT_BYTES);
    const memory = this.memory;
    record.writeTo(memory, this.#end);
    let end = this.#end + byteLength;
    if (!this.#isLines) memory[end++] = ascii.COMMA;
    memory[end++] = ascii.NEWLINE;
    this.#end = end;
  }

  get isEmpty(): boolean {
    return this.#start === this.#end;
  }

  /** Removes the first record. There must be one. */
  shift(): IngestRecord {
    const end = this.memory.indexOf(ascii.NEWLINE, this.#start);
    const text = this.memory.toString('utf8', this.#start, this.#isLines ? end : end - 1);
    this.#start = end + 1;
    return createRecord(text, this.#tagsText);
  }

  /** Returns the finished section between these characters. Nothing can be added later. */
  finish(opening: '[' | ',', closing: ']' | ''): Buffer {
    if (this.#isLines) return this.memory.subarray(this.#start, this.#end - 1);
    const headerStart = this.#start - this.#header.length;
    const start = headerStart - JOINT_BYTES;
    this.#header.copy(this.memory, headerStart);
    this.memory.write(opening, start, 'latin1');
    const end = this.#end - MAX_SEPARATOR_BYTES;
    const written = this.memory.write(`${SECTION_END}${closing}`, end, 'latin1');
    return this.memory.subarray(start, end + written);
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
