import type { BatchLimits } from '../batch/batch-builder.ts';
import type { IngestRecord } from '../record/record.ts';
import { LineCutter } from './line-cutter.ts';
import { isTemporary, type Segment } from './segment.ts';

/** Returns `undefined` for a record to drop. */
export type RedactRecord = (record: IngestRecord) => IngestRecord | undefined;

/** Read position of a queue. */
export interface Cursor {
  readonly segment: Segment;
  readonly offset: number;
}

/** FIFO queue of records in segments on disk, where taken records stay until they are settled. */
export class SegmentQueue {
  /** Segments with unsettled records, oldest first. */
  readonly #segments: Segment[] = [];
  readonly #onLost: (records: number, message: string) => void;
  readonly #cutter = new LineCutter();
  /** The segment being read. */
  #head: Segment | undefined;
  #added = 0;
  length = 0;
  /** Total size of their events, in bytes. */
  byteLength = 0;

  /** @param onLost called when counted records can't be read. */
  constructor(onLost: (records: number, message: string) => void) {
    this.#onLost = onLost;
  }

  /** Read position; `undefined` without segments. */
  get cursor(): Cursor | undefined {
    return this.#head && { segment: this.#head, offset: this.#cutter.offset };
  }

  add(segment: Segment): void {
    segment.order = this.#added++;
    this.#segments.push(segment);
    this.length += segment.records;
    this.byteLength += segment.eventBytes;
    if (this.#head === undefined) this.#readNext(segment);
  }

  grown(segment: Segment, bytes: number, records: number, eventBytes: number): void {
    segment.size += bytes;
    segment.records += records;
    segment.eventBytes += eventBytes;
    this.length += records;
    this.byteLength += eventBytes;
  }

  /** Removes the oldest records within the limits; fewer if the disk can't be read at the moment. */
  take({ maxRecords, maxBytes }: BatchLimits, redact?: RedactRecord): ReturnType<RedactRecord>[] {
    const taken: ReturnType<RedactRecord>[] = [];
    let byteLength = 0;
    while (taken.length < maxRecords) {
      // The numbers in a batch have no gaps, so a loss ends the batch.
      const head = this.#findRecord(taken.length === 0);
      if (head === undefined) break;
      const { eventBytes } = this.#cutter;
      byteLength += eventBytes + 1;
      if (taken.length > 0 && byteLength > maxBytes) break;
      const record = this.#cutter.record();
      // Another process may have written it without `redact`.
      taken.push(redact && head.isAdopted ? redact(record) : record);
      this.#cutter.next();
      this.#count(head, 1, eventBytes);
    }
    return taken;
  }

  /** Removes the unread records of the oldest segment that has any, also on disk. None if it can't be read at the moment. */
  takeSegment(redact?: RedactRecord): ReturnType<RedactRecord>[] {
    const head = this.#findRecord(true);
    if (head === undefined) return [];
    const { offset } = this.#cutter;
    const taken = this.take({ maxRecords: head.records, maxBytes: Number.POSITIVE_INFINITY }, redact);
    if (head.records === 0) this.#removeRead(head, offset);
    return taken;
  }

  /** Settles everything before the cursor. Never throws. */
  settle({ segment, offset }: Cursor): void {
    while (this.#segments[0] !== undefined && this.#segments[0].order < segment.order) this.#retireOldest();
    if (this.#segments[0] !== segment) return;
    if (segment.isSealed && offset >= segment.size) this.#retireOldest();
    else segment.directory.settle({ segment: segment.number, offset });
  }

  settleAll(): void {
    while (this.#segments.length > 0) this.#retireOldest();
  }

  close(): void {
    for (const segment of this.#segments) {
      segment.release();
      segment.directory.close();
    }
  }

  /** Removes the bytes of a segment behind an offset, or a segment in the middle as a whole. */
  #removeRead(head: Segment, offset: number): void {
    const index = this.#segments.indexOf(head);
    const next = this.#segments[index + 1];
    if (index === 0 || offset > head.from || next === undefined) {
      head.cut(offset);
      this.#cutter.moveTo(head.size);
    } else {
      this.#segments.splice(index, 1);
      head.release();
      head.directory.remove(head.number);
      this.#readNext(next);
    }
  }

  #retireOldest(): void {
    const segment = this.#segments.shift();
    if (segment === undefined) return;
    if (segment === this.#head) this.#head = undefined;
    segment.release();
    segment.directory.retire(segment.number);
    if (this.#head === undefined && this.#segments[0] !== undefined) this.#readNext(this.#segments[0]);
  }

  /** Moves the cutter to the next record. @returns its segment. */
  #findRecord(mayLose: boolean): Segment | undefined {
    for (;;) {
      const head = this.#head;
      if (head === undefined) return undefined;
      const line = head.records > 0 ? this.#cutter.peek() : 'incomplete';
      if (line === 'record') return head;
      if (line === 'damaged') {
        this.#cutter.next();
        continue;
      }
      const filled = head.records > 0 ? this.#fill(head, mayLose) : 'end';
      if (filled === 'later') return undefined;
      if (filled === 'end') {
        if (head.records > 0 && !mayLose) return undefined;
        this.#lose(head, `damaged in ${head.path}`);
        const next = this.#segments[this.#segments.indexOf(head) + 1];
        if (next === undefined) return undefined;
        head.release();
        this.#readNext(next);
      }
    }
  }

  #fill(head: Segment, mayLose: boolean): 'filled' | 'end' | 'later' {
    const rest = head.size - this.#cutter.readOffset;
    if (rest <= 0) return 'end';
    try {
      const bytes = head.read(this.#cutter.room().subarray(0, rest), this.#cutter.readOffset);
      this.#cutter.filled(bytes);
      return bytes > 0 ? 'filled' : 'end';
    } catch (error) {
      const { code = '', message } = error as NodeJS.ErrnoException;
      if (isTemporary(error) || !mayLose) return 'later';
      const where = code === 'ENOENT' ? head.path : head.setAside();
      this.#lose(head, `can't read the file, now at ${where} (${message})`);
      return 'end';
    }
  }

  #lose(head: Segment, why: string): void {
    const { records } = head;
    if (records === 0) return;
    this.#count(head, records, head.eventBytes);
    this.#onLost(records, why);
  }

  #count(head: Segment, records: number, eventBytes: number): void {
    head.records -= records;
    head.eventBytes -= eventBytes;
    this.length -= records;
    this.byteLength -= eventBytes;
    // The rest of the segment is damaged, and is settled with the last record.
    if (head.records === 0) this.#cutter.moveTo(head.size);
  }

  #readNext(segment: Segment): void {
    this.#head = segment;
    this.#cutter.moveTo(segment.from);
  }
}
