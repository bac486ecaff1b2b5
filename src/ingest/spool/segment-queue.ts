import type { BatchLimits } from '../batch/batch-builder.ts';
import type { IngestRecord } from '../record/record.ts';
import { LineCutter } from './line-cutter.ts';
import type { Segment } from './segment.ts';

/** How far a queue has been read. */
export interface Cursor {
  readonly segment: Segment;
  readonly offset: number;
}

/** What goes by: the file is there, and it can be read later. */
const PASSING_ERRORS = ['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN', 'EINTR', 'EBUSY'];

/**
 * Segments one after the other, read as a queue. Nothing but a small read buffer is in memory.
 *
 * What was read stays on the disk until it is settled.
 */
export class SegmentQueue {
  /** Everything that isn't settled, oldest first. */
  readonly #segments: Segment[] = [];
  readonly #onLost: (records: number, message: string) => void;
  readonly #cutter = new LineCutter();
  /** The segment that is read. */
  #head: Segment | undefined;
  #length = 0;
  #byteLength = 0;

  /** @param onLost told of records that were counted, and that the disk doesn't give back. */
  constructor(onLost: (records: number, message: string) => void) {
    this.#onLost = onLost;
  }

  /** How many records can be read. */
  get length(): number {
    return this.#length;
  }

  /** The bytes of their events. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** The bytes of the files. */
  get diskBytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** How far it has been read; `undefined` when there is nothing. */
  get cursor(): Cursor | undefined {
    return this.#head && { segment: this.#head, offset: this.#cutter.offset };
  }

  add(segment: Segment): void {
    this.#segments.push(segment);
    this.#length += segment.records;
    this.#byteLength += segment.eventBytes;
    if (this.#head === undefined) this.#readNext(segment);
  }

  /** The last segment has got more lines. */
  grown(segment: Segment, bytes: number, records: number, eventBytes: number): void {
    segment.size += bytes;
    segment.records += records;
    segment.eventBytes += eventBytes;
    this.#length += records;
    this.#byteLength += eventBytes;
  }

  /** Takes the oldest records; fewer than there are when the disk doesn't give them at the moment. */
  take({ maxRecords, maxBytes }: BatchLimits): IngestRecord[] {
    const taken: IngestRecord[] = [];
    let byteLength = 0;
    while (taken.length < maxRecords) {
      // Records that were taken together have numbers without a gap, so a loss ends the batch.
      const head = this.#findRecord(taken.length === 0);
      if (head === undefined) break;
      const { eventBytes } = this.#cutter;
      byteLength += eventBytes + 1;
      if (taken.length > 0 && byteLength > maxBytes) break;
      taken.push(this.#cutter.record());
      this.#cutter.next();
      this.#count(head, 1, eventBytes);
    }
    return taken;
  }

  /** Everything before the cursor is settled. Never throws. */
  settle({ segment, offset }: Cursor): void {
    if (!this.#segments.includes(segment)) return;
    while (this.#segments[0] !== segment) this.#retireOldest();
    if (segment.isSealed && offset >= segment.size) this.#retireOldest();
    else segment.directory.settle({ segment: segment.number, offset });
  }

  /** Everything is settled. */
  settleAll(): void {
    while (this.#segments.length > 0) this.#retireOldest();
  }

  /** Closes what is open. What isn't settled stays. */
  close(): void {
    for (const segment of this.#segments) {
      segment.release();
      segment.directory.close();
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

  /** @returns the segment that has the next record, at which the cutter stands then. */
  #findRecord(mayLose: boolean): Segment | undefined {
    for (;;) {
      const head = this.#head;
      if (head === undefined) return undefined;
      const line = head.records > 0 ? this.#cutter.look() : 'incomplete';
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
      if (PASSING_ERRORS.includes(code) || !mayLose) return 'later';
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
    this.#length -= records;
    this.#byteLength -= eventBytes;
    // Whatever else is there is damaged, and it is settled with the last record.
    if (head.records === 0) this.#cutter.moveTo(head.size);
  }

  #readNext(segment: Segment): void {
    this.#head = segment;
    this.#cutter.moveTo(segment.from);
  }
}
