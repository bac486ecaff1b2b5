import type { IngestRecord } from '../record/record.ts';
import { Batch } from './batch.ts';
import { type BatchFormat, EVENTS } from './batch-format.ts';
import { batchMemory } from './buffer-pool.ts';
import { EventSection } from './event-section.ts';

export interface BatchLimits {
  readonly maxRecords: number;
  /** Of the events; a single one may be larger. */
  readonly maxBytes: number;
}

/** Initial memory of the first section. With different tags, there may be one for each record. */
const FIRST_SECTION_BYTES = 16 * 1024;

/** The last section has the records of all further tags. */
const MAX_SECTIONS = 100;

const COMMA_BYTES = 1;

/** A growing batch. Records are written directly into its request body, which creates no garbage. */
export class BatchBuilder {
  /** Arrival of its first record, in epoch milliseconds. */
  readonly startedAt: number;
  readonly #format: BatchFormat;
  /** In the order of their first records. */
  readonly #sections: EventSection[] = [];
  readonly #byTags = new Map<string, EventSection>();
  /** Section of each record, in order; not kept for a single section. */
  #order: EventSection[] | undefined;
  length = 0;
  byteLength = 0;
  #latest: { readonly tagsText: string; readonly section: EventSection } | undefined;

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
    const section = this.#sectionFor(record.tagsText);
    section.push(record);
    this.#order?.push(section);
    this.length++;
    this.byteLength += record.byteLength;
  }

  /** Removes the oldest record. There must be one. */
  shift(): IngestRecord {
    const section = this.#order?.shift() ?? this.#sections[0]!;
    const record = section.shift();
    this.length--;
    this.byteLength -= record.byteLength;
    return record;
  }

  /** Returns the finished batch. It must contain a record, and none can be added later. */
  finish(): Batch {
    const sections = this.#sections.filter(({ isEmpty }) => !isEmpty);
    const last = sections.length - 1;
    const parts = sections.map((section, index) =>
      section.finish(index === 0 ? '[' : ',', index === last ? ']' : ''),
    );
    const info = { format: this.#format, length: this.length, byteLength: this.byteLength };
    if (last === 0) return new Batch(parts[0]!, info, sections[0]!.memory);
    const body = Buffer.concat(parts);
    for (const { memory } of this.#sections) batchMemory.giveBack(memory);
    return new Batch(body, info);
  }

  #sectionFor(tagsText: string): EventSection {
    // Mostly the same string, so that comparing it costs nothing.
    if (this.#latest?.tagsText === tagsText) return this.#latest.section;
    const isMany = this.#sections.length >= MAX_SECTIONS;
    const section =
      this.#byTags.get(tagsText) ?? (isMany ? this.#sections.at(-1)! : this.#addSection(tagsText));
    this.#latest = { tagsText, section };
    return section;
  }

  #addSection(tagsText: string): EventSection {
    const usualBytes = this.#sections.length === 0 ? FIRST_SECTION_BYTES : 0;
    const section = new EventSection(this.#format, usualBytes);
    if (this.#sections.length === 1) this.#order = new Array(this.length).fill(this.#sections[0]);
    this.#sections.push(section);
    this.#byTags.set(tagsText, section);
    return section;
  }
}

/** @param records at least one. */
export function batchOf(records: readonly IngestRecord[], format?: BatchFormat): Batch {
  const builder = new BatchBuilder(0, format);
  for (const record of records) builder.push(record);
  return builder.finish();
}

/** Halves a batch, or isolates the record at an index. At least two records, the older ones first. */
export function split(batch: Batch, isolated = -1): Batch[] {
  const records = batch.records();
  const isIndex = isolated >= 0 && isolated < records.length;
  const starts = isIndex ? [0, isolated, isolated + 1] : [0, Math.ceil(records.length / 2)];
  return starts
    .map((start, index) => records.slice(start, starts[index + 1]))
    .filter(({ length }) => length > 0)
    .map((part) => batchOf(part, batch.format));
}
