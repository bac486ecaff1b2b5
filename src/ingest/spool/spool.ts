import { join } from 'node:path';
import { isWithin } from '../../core/clock.ts';
import { sentence } from '../../core/sentence.ts';
import type { Batch } from '../batch/batch.ts';
import { type BatchLimits, batchOf } from '../batch/batch-builder.ts';
import type { IngestRecord } from '../record/record.ts';
import { Adoption } from './adoption.ts';
import { destinationKey } from './destination-key.ts';
import { LineWriter } from './line-writer.ts';
import { RecordQueue } from './record-queue.ts';
import type { Segment } from './segment.ts';
import { type Cursor, type RedactRecord, SegmentQueue } from './segment-queue.ts';
import { SegmentWriter } from './segment-writer.ts';
import type { SpoolSettings } from './spool-options.ts';

/** Records that were taken together. */
interface TakenRecords {
  /** Number of the first record after them. */
  readonly endNumber: number;
  /** Read position after them; `undefined` if no records were on disk. */
  readonly cursor: Cursor | undefined;
  /** The records, if they are not on disk. */
  readonly inMemory: readonly IngestRecord[];
}

/** Maximum size of a write. */
const GROUP_BYTES = 256 * 1024;
/** Maximum size of the records that one `push` moves from memory to a disk that has recovered. */
const MAX_MOVED_BYTES = 4 * 1024 * 1024;
/** Delay before a failed disk is used again. */
const REST_MS = 1_000;
const EVERYTHING = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/**
 * FIFO queue of records on disk. Added records survive a crash of the process. Taken records stay on disk until they are
 * {@link settle settled}.
 *
 * Records that can't be written, for example because the disk is full, wait in memory behind the records on disk and are
 * written when the disk works again. Does not keep the process alive.
 */
export class Spool {
  readonly #settings: SpoolSettings;
  readonly #queue: SegmentQueue;
  readonly #writer: SegmentWriter;
  readonly #adoption: Adoption;
  /** Records that were taken and are not settled, oldest first. */
  readonly #taken: TakenRecords[] = [];
  readonly #lines = new LineWriter();
  /** Records that follow everything on disk: {@link batchWrites} has not written them yet, or the disk fails. */
  readonly #memory = new RecordQueue();
  #isGathering = false;
  /** True after a failure of the disk, until all records are on it. */
  #isFailing = false;
  #failedAt = Number.NEGATIVE_INFINITY;
  /** Arrival of the first record since the spool was empty. */
  #oldestArrival: number | undefined;
  /** Number of the oldest of them, or of the next record. Records are numbered by arrival, without gaps. */
  firstNumber = 0;
  #adopting: Promise<void> | undefined;
  #isClosed = false;

  /** Never throws: if the disk fails, records are kept in memory, with a warning. */
  constructor(settings: SpoolSettings) {
    const { directory, destination, clock, disk, onTrouble } = settings;
    this.#settings = settings;
    const folder = join(directory, destinationKey(destination));
    this.#queue = new SegmentQueue((records, message) => {
      this.firstNumber += records;
      settings.onLost(records, message);
    });
    this.#writer = new SegmentWriter(folder, settings, this.#queue, () => this.#adoption.forget());
    this.#adoption = new Adoption({
      ...settings,
      folder,
      hasRoom: (bytes) => {
        const openBytes = settings.openBytes();
        return !this.#isClosed && (openBytes === 0 || openBytes + bytes <= settings.maxBytes);
      },
      add: (segment) => this.#addAdopted(segment),
    });
    this.#try(clock.now(), () => this.#writer.open(clock.now()));
    if (disk.isOnNetwork(directory)) {
      onTrouble(
        `The spool ${directory} is on a network file system. Give each machine its own folder: a machine can't see which processes run on another.`,
      );
    }
  }

  /** Number of records that are not taken. */
  get length(): number {
    return this.#queue.length + this.#memory.length;
  }

  get byteLength(): number {
    return this.#queue.byteLength + this.#memory.byteLength;
  }

  /** Arrival of the oldest record in epoch milliseconds, or earlier. */
  get oldestArrival(): number | undefined {
    return this.length === 0 ? undefined : this.#oldestArrival;
  }

  get hasFullBatch(): boolean {
    const { maxRecords, maxBytes } = this.#settings.limits;
    return this.length > 0 && (this.length >= maxRecords || this.byteLength >= maxBytes);
  }

  /** Number of records in the directory that are never sent: for other destinations, or in folders that can't be moved. */
  get strandedRecords(): number {
    return this.#adoption.strandedRecords;
  }

  /** Total size of the events that wait in memory because the disk fails, in bytes. */
  get memoryBytes(): number {
    return this.#isFailing ? this.#memory.byteLength : 0;
  }

  /** Never throws. The record survives a crash of the process when this returns, unless the disk fails. */
  push(record: IngestRecord, nowMs: number): void {
    if (this.length === 0) this.#oldestArrival = nowMs;
    this.#memory.push(record);
    if (!this.#isGathering || this.#memory.byteLength >= GROUP_BYTES) this.#writeMemory(nowMs);
  }

  /** Writes the records pushed in `work` together, before this returns. Faster than single writes. */
  batchWrites<Result>(work: () => Result): Result {
    this.#isGathering = true;
    try {
      return work();
    } finally {
      this.#isGathering = false;
      this.#writeMemory(this.#settings.clock.now());
    }
  }

  /** Removes the oldest records that are not taken, by whole files, which frees their space. None if the disk can't be read now. */
  dropOldest(): IngestRecord[] {
    if (this.#queue.length === 0) return this.#numbered(this.#memory.take({ maxRecords: 1, maxBytes: 0 }));
    const dropped = this.#numbered(this.#readable(this.#queue.takeSegment(this.#settings.redact)));
    const { cursor } = this.#queue;
    if (this.#taken.length === 0 && cursor !== undefined) this.#queue.settle(cursor);
    return dropped;
  }

  /** Removes the oldest records before the new {@link firstNumber}. None if the disk can't be read now. */
  take(limits: BatchLimits): IngestRecord[] {
    this.#writeMemory(this.#settings.clock.now());
    let taken = this.#readable(this.#queue.take(limits, this.#settings.redact));
    const isInMemory = taken.length === 0 && this.#queue.length === 0;
    if (isInMemory) taken = this.#memory.take(limits);
    if (taken.length === 0) return taken;
    this.#numbered(taken);
    const inMemory = isInMemory ? taken : [];
    this.#taken.push({ endNumber: this.firstNumber, cursor: this.#queue.cursor, inMemory });
    return taken;
  }

  #numbered(removed: IngestRecord[]): IngestRecord[] {
    this.firstNumber += removed.length;
    return removed;
  }

  #readable(taken: ReturnType<RedactRecord>[]): IngestRecord[] {
    const records = taken.filter((record) => record !== undefined);
    const lost = taken.length - records.length;
    this.firstNumber += lost;
    if (lost > 0) this.#settings.onLost(lost, 'they could not be searched for secrets (redact)');
    return records;
  }

  takeBatch(): Batch | undefined {
    const records = this.take(this.#settings.limits);
    return records.length === 0 ? undefined : batchOf(records, this.#settings.format);
  }

  /**
   * Settles all records with smaller numbers: they are delivered or dropped. The position on disk is the end of a
   * {@link take}. After a crash, a partly settled batch is sent again as a whole.
   */
  settle(beforeNumber: number): void {
    let cursor: Cursor | undefined;
    while (this.#taken[0] !== undefined && this.#taken[0].endNumber <= beforeNumber) {
      cursor = this.#taken.shift()?.cursor ?? cursor;
    }
    // After close, the directory may belong to another process.
    if (cursor !== undefined && !this.#isClosed) this.#queue.settle(cursor);
  }

  /** Writes taken records again, behind all others, before they are settled. @returns false if the disk fails. */
  append(records: readonly IngestRecord[], nowMs: number): boolean {
    return this.#writeMemory(nowMs) && this.#write(records, nowMs) === records.length;
  }

  /** Adopts the records of exited processes, up to `maxBytes`. Never rejects. */
  adopt(): Promise<void> {
    this.#adopting ??= this.#adoptAll().finally(() => {
      this.#adopting = undefined;
    });
    return this.#adopting;
  }

  /** Leaves the rest to the next process. Never throws. @returns records that could not be written, if they are unsettled. */
  close(isUnsettled = (_number: number): boolean => true): readonly IngestRecord[] {
    if (this.#isClosed) return [];
    this.#isClosed = true;
    this.#writer.checkRemoved();
    const taken = this.#taken.flatMap(({ inMemory, endNumber }) =>
      inMemory.filter((_, index) => isUnsettled(endNumber - inMemory.length + index)),
    );
    const records = [...taken, ...this.#memory.take(EVERYTHING)];
    const left = records.slice(this.#write(records, this.#settings.clock.now()));
    this.#writer.sealSync();
    if (this.#queue.length === 0 && this.#taken.length === 0) this.#queue.settleAll();
    this.#queue.close();
    this.#writer.leave();
    return left;
  }

  async #adoptAll(): Promise<void> {
    const { clock } = this.#settings;
    if (!this.#writeMemory(clock.now(), Number.POSITIVE_INFINITY)) return;
    this.#try(clock.now(), () => this.#writer.open(clock.now()));
    if (this.#writer.path === undefined) return;
    await this.#adoption.run(this.#writer.path, clock.now());
    if (!this.#isClosed) await this.#adoption.reportStranded(clock.now());
  }

  /** @returns false if records wait in memory: adopted records must not overtake them. */
  #addAdopted(segment: Segment): boolean {
    const now = this.#settings.clock.now();
    if (!this.#writeMemory(now)) return false;
    this.#writer.seal();
    if (this.length === 0) this.#oldestArrival = now;
    const { records } = segment; // The listener may read some immediately.
    this.#queue.add(segment);
    this.#settings.onAdopted?.(records);
    return true;
  }

  /** Moves records from memory to disk. @returns true if no records are left in memory. */
  #writeMemory(nowMs: number, maxBytes = MAX_MOVED_BYTES): boolean {
    if (this.#isClosed) return false;
    for (let moved = 0; this.#memory.length > 0 && moved < maxBytes; moved += MAX_MOVED_BYTES) {
      if (isWithin(REST_MS, this.#failedAt, nowMs)) return false; // It would probably fail again.
      const records = this.#memory.take({ maxRecords: Number.POSITIVE_INFINITY, maxBytes: MAX_MOVED_BYTES });
      const written = this.#write(records, nowMs);
      if (written < records.length) {
        this.#memory.putBack(records.slice(written));
        return false;
      }
    }
    this.#reportRecovery();
    return this.#memory.length === 0;
  }

  /** @returns how many of the records are on disk: the first ones. */
  #write(records: readonly IngestRecord[], nowMs: number): number {
    const lines = this.#lines;
    let written = 0;
    this.#try(nowMs, () => {
      for (const [index, record] of records.entries()) {
        lines.add(record);
        if (index < records.length - 1 && lines.bytes.length < GROUP_BYTES) continue;
        this.#writer.append(lines, nowMs);
        lines.clear();
        written = index + 1;
      }
    });
    lines.clear();
    return written;
  }

  #try(nowMs: number, work: () => void): void {
    try {
      work();
      this.#failedAt = Number.NEGATIVE_INFINITY;
      this.#reportRecovery();
    } catch (error) {
      this.#failedAt = nowMs;
      this.#writer.checkSoon();
      this.#reportFailure(error as NodeJS.ErrnoException);
    }
  }

  #reportFailure({ message, code }: NodeJS.ErrnoException): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const { directory, onTrouble } = this.#settings;
    const advice =
      code === 'ENOTDIR' ? ' Set "spool.directory" to a folder: a part of its path is a file.' : '';
    onTrouble(
      `Can't write to the spool ${directory}: ${sentence(message)}${advice} New records are kept in memory until writing succeeds; a restart before that loses them.`,
    );
  }

  #reportRecovery(): void {
    const hasFailed = this.#failedAt !== Number.NEGATIVE_INFINITY;
    if (this.#memory.length > 0 || hasFailed || !this.#isFailing) return;
    this.#isFailing = false;
    this.#settings.onTrouble(`The spool ${this.#settings.directory} is writable again.`);
  }
}
