import * as ascii from '../../core/ascii.ts';
import { createRecord, type IngestRecord } from '../record/record.ts';
import { Batch } from './batch.ts';
import { type BatchFormat, EVENTS, LINES, SECTION_START } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';

export interface BatchLimits {
  readonly maxRecords: number;
  /** Of the events; a single one may be larger. */
  readonly maxBytes: number;
}

const INITIAL_BYTES = 16 * 1024;

/** Memory is doubled until it grows by this much. */
const MAX_GROWTH_BYTES = 256 * 1024;

const SECTION_END = '\n]}';

/** Before and after all sections. */
const BRACKET_BYTES = 1;

const COMMA_BYTES = 1;

/** After an event: a comma, unless it is a line of its own, and a newline. */
const MAX_SEPARATOR_BYTES = COMMA_BYTES + 1;

/**
 * A growing batch. Records are written directly into its request body, which creates no garbage: in input order, one per
 * line, so that they can be read again. Those in a row with the same tags are a section.
 */
export class BatchBuilder {
  /** Arrival of its first record, in epoch milliseconds. */
  readonly startedAt: number;
  readonly #format: BatchFormat;
  #memory = batchMemory.take(INITIAL_BYTES);
  /** Tags of the first and of the last record. */
  #firstTags = '';
  #lastTags = '';
  /** The first record. */
  #start = 0;
  #end = 0;
  length = 0;
  byteLength = 0;

  constructor(startedAt: number, format: BatchFormat = EVENTS) {
    this.startedAt = startedAt;
    this.#format = format;
  }

  hasRoom({ byteLength }: IngestRecord, { maxRecords, maxBytes }: BatchLimits): boolean {
    if (this.length === 0) return true;
    const bytes = this.byteLength + byteLength + COMMA_BYTES * (this.length + 1);
    return this.length < maxRecords && bytes <= maxBytes;
  }

  isFull({ maxRecords, maxBytes }: BatchLimits): boolean {
    return this.length >= maxRecords || this.byteLength >= maxBytes;
  }

  push(record: IngestRecord): void {
    const { byteLength, tagsText } = record;
    if (this.length === 0) this.#begin(tagsText);
    else if (tagsText !== this.#lastTags && this.#format !== LINES) this.#change(tagsText);
    this.#makeRoom(byteLength + MAX_SEPARATOR_BYTES + SECTION_END.length + BRACKET_BYTES);
    record.writeTo(this.#memory, this.#end);
    let end = this.#end + byteLength;
    if (this.#format !== LINES) this.#memory[end++] = ascii.COMMA;
    this.#memory[end++] = ascii.NEWLINE;
    this.#end = end;
    this.length++;
    this.byteLength += byteLength;
  }

  /** Removes the oldest record. There must be one. */
  shift(): IngestRecord {
    const line = this.#shiftLine();
    const record = createRecord(line.endsWith(',') ? line.slice(0, -1) : line, this.#firstTags);
    this.length--;
    this.byteLength -= record.byteLength;
    if (this.length > 0 && this.#memory[this.#start] === ascii.CLOSE_BRACKET)
      this.#firstTags = this.#shiftLine().slice(`]},${SECTION_START}`.length, -this.#format.length);
    return record;
  }

  /** Returns the finished batch. It must contain a record, and none can be added later. */
  finish(): Batch {
    const info = { format: this.#format, length: this.length, byteLength: this.byteLength };
    return new Batch(this.#finishBody(), info, this.#memory);
  }

  #finishBody(): Buffer {
    if (this.#format === LINES) return this.#memory.subarray(this.#start, this.#end - 1);
    const header = `[${this.#header(this.#firstTags)}`;
    const start = this.#start - Buffer.byteLength(header);
    this.#memory.write(header, start);
    const end = this.#end - MAX_SEPARATOR_BYTES;
    return this.#memory.subarray(start, end + this.#memory.write(`${SECTION_END}]`, end, 'latin1'));
  }

  /** Leaves space for the header, which is written at the end, because the first records may be removed. */
  #begin(tagsText: string): void {
    this.#firstTags = tagsText;
    this.#lastTags = tagsText;
    this.#start = BRACKET_BYTES + Buffer.byteLength(this.#header(tagsText));
    this.#end = this.#start;
  }

  #change(tagsText: string): void {
    this.#lastTags = tagsText;
    const text = `${SECTION_END},${this.#header(tagsText)}`;
    this.#makeRoom(Buffer.byteLength(text));
    this.#end -= MAX_SEPARATOR_BYTES;
    this.#end += this.#memory.write(text, this.#end);
  }

  #header(tagsText: string): string {
    return this.#format === LINES ? '' : `${SECTION_START}${tagsText}${this.#format}\n`;
  }

  #shiftLine(): string {
    const end = this.#memory.indexOf(ascii.NEWLINE, this.#start);
    const line = this.#memory.toString('utf8', this.#start, end);
    this.#start = end + 1;
    return line;
  }

  #makeRoom(bytes: number): void {
    const before = this.#memory;
    const needed = this.#end + bytes;
    if (needed <= before.length) return;
    const grown = before.length + Math.min(before.length, MAX_GROWTH_BYTES);
    this.#memory = batchMemory.take(Math.max(needed, grown));
    before.copy(this.#memory, 0, 0, this.#end);
    batchMemory.giveBack(before);
  }
}

/** @param records at least one. */
export function batchOf(records: readonly IngestRecord[], format?: BatchFormat): Batch {
  const builder = new BatchBuilder(0, format);
  for (const record of records) builder.push(record);
  return builder.finish();
}

/** Halves a batch, or isolates the record at an index. At least two parts, the older records first. */
export function split(batch: Batch, isolated = -1): Batch[] {
  const records = batch.records();
  const isIndex = isolated >= 0 && isolated < records.length;
  const starts = isIndex ? [0, isolated, isolated + 1] : [0, Math.ceil(records.length / 2)];
  const parts = starts.map((start, index) => ({ start, part: records.slice(start, starts[index + 1]) }));
  return parts
    .filter(({ part }) => part.length > 0)
    .map(({ start, part }) => {
      const firstNumber = batch.firstNumber + start;
      return Object.assign(batchOf(part, batch.format), { firstNumber, history: { ...batch.history } });
    });
}
