import { join } from 'node:path';
import type { Clock } from '../../internal/clock.ts';
import type { Batch } from '../batch/batch.ts';
import { type BatchLimits, batchOf } from '../batch/batch-builder.ts';
import type { RecordStore } from '../batch/record-store.ts';
import type { IngestRecord } from '../record/record.ts';
import { Adoption } from './adoption.ts';
import { ArrivalTimes } from './arrival-times.ts';
import { destinationKey, type SpoolDestination } from './destination-key.ts';
import { DiskHealth } from './disk-health.ts';
import { FileSync } from './file-sync.ts';
import { LineWriter } from './line-writer.ts';
import { isOnNetwork } from './network-file-system.ts';
import { RecordQueue } from './record-queue.ts';
import type { Segment } from './segment.ts';
import { SegmentQueue } from './segment-queue.ts';
import { Settlement } from './settlement.ts';
import { SpoolHome } from './spool-home.ts';
import type { ResolvedSpoolOptions } from './spool-options.ts';

export interface SpoolSettings extends ResolvedSpoolOptions {
  readonly destination: SpoolDestination;
  readonly clock: Clock;
  /** Of batches, as far as they are known now. */
  readonly limits: BatchLimits;
  /** Told when the disk fails, when it works again, and of what was found damaged. The text holds no token. */
  readonly onTrouble: (message: string) => void;
  /** Told of records that were in {@link Spool.length}, and that the disk doesn't give back. */
  readonly onLost: (records: number, message: string) => void;
  /** Told when records that another process left have joined {@link Spool.length}. */
  readonly onAdopted?: (records: number) => void;
}

/** As much is written at a time. */
const GROUP_BYTES = 256 * 1024;
/** As much is moved from memory to a disk that works again before other things have their turn. */
const RESCUE_BYTES = 4 * 1024 * 1024;
const EVERYTHING = { maxRecords: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

/**
 * The store on a disk: a record that was pushed survives the death of the process. What was taken stays on the disk
 * until it is {@link settle settled}.
 *
 * Records that can't be written, because the disk is full, say, are kept in memory behind those on the disk, and are
 * written when it works again. Nothing in it keeps the process alive.
 */
export class Spool implements RecordStore {
  readonly #settings: SpoolSettings;
  readonly #queue: SegmentQueue;
  readonly #sync: FileSync;
  readonly #home: SpoolHome;
  readonly #health: DiskHealth;
  readonly #adoption: Adoption;
  readonly #settlement = new Settlement();
  readonly #arrivals = new ArrivalTimes();
  readonly #lines = new LineWriter();
  /** What can't be written at the moment. It comes after everything on the disk. */
  #memory = new RecordQueue();
  /** What {@link together} gathers. */
  #gathered: IngestRecord[] = [];
  #gatheredBytes = 0;
  #isGathering = false;
  #firstNumber = 0;
  #adopting: Promise<number> | undefined;
  #hasToldOfOthers = false;
  #closing: Promise<readonly IngestRecord[]> | undefined;
  #isClosed = false;
  #hasLeft = false;

  /** Opens a spool of its own in the directory. Never throws: with a disk that fails it begins in memory, and says so. */
  static open(settings: SpoolSettings): Spool {
    return new Spool(settings);
  }

  private constructor(settings: SpoolSettings) {
    const { directory, destination, fsync, clock, onTrouble } = settings;
    this.#settings = settings;
    const folder = join(directory, destinationKey(destination));
    this.#queue = new SegmentQueue((records, message) => {
      this.#firstNumber += records;
      settings.onLost(records, message);
    });
    this.#sync = new FileSync({
      policy: fsync,
      clock,
      onError: ({ message }) =>
        onTrouble(`The spool ${directory} is not safe against power loss: ${message}.`),
    });
    this.#home = new SpoolHome({
      folder,
      queue: this.#queue,
      sync: this.#sync,
      segmentBytes: settings.segmentBytes,
      onRemoved: (path) => this.#removed(path),
    });
    this.#health = new DiskHealth({ directory, onTrouble, onFailure: () => this.#home.doubt() });
    this.#adoption = new Adoption({
      folder,
      hasRoom: (bytes) => this.heldBytes === 0 || this.heldBytes + bytes <= settings.maxBytes,
      take: (segment) => this.#takeIn(segment),
      shouldStop: () => this.#isClosed,
      onTrouble,
    });
    this.#try(clock.now(), () => this.#home.writer(clock.now()));
    if (isOnNetwork(directory)) {
      onTrouble(
        `The spool ${directory} is on a network file system. Give each machine its own folder: a machine can't see which processes run on another.`,
      );
    }
  }

  get length(): number {
    return this.#queue.length + this.#gathered.length + this.#memory.length;
  }

  get byteLength(): number {
    return this.#queue.byteLength + this.#gatheredBytes + this.#memory.byteLength;
  }

  get firstNumber(): number {
    return this.#firstNumber;
  }

  get oldestArrival(): number | undefined {
    return this.length === 0 ? undefined : this.#arrivals.oldest;
  }

  get hasFullBatch(): boolean {
    const { maxRecords, maxBytes } = this.#settings.limits;
    return this.length > 0 && (this.length >= maxRecords || this.byteLength >= maxBytes);
  }

  /** What {@link heldBytes} should not exceed. Nothing here enforces it but {@link adopt}. */
  get maxBytes(): number {
    return this.#settings.maxBytes;
  }

  /** The bytes of all events that wait or were taken and aren't settled. */
  get heldBytes(): number {
    return this.byteLength + this.#settlement.eventBytes;
  }

  /** The bytes of the files, with tags and what else is in them. */
  get diskBytes(): number {
    return this.#queue.diskBytes;
  }

  /** The bytes of the events that wait and are only in memory, because the disk fails. */
  get memoryBytes(): number {
    return this.#memory.byteLength;
  }

  /** Never throws. The record survives the death of the process when this returns, unless the disk fails. */
  push(record: IngestRecord, nowMs: number): void {
    if (!this.#isGathering || this.#memory.length > 0 || this.#isClosed || this.#health.isResting(nowMs)) {
      this.pushAll([record], nowMs);
      return;
    }
    this.#arrivals.note(this.#firstNumber + this.length, nowMs);
    this.#gathered.push(record.kept());
    this.#gatheredBytes += record.byteLength;
    if (this.#gatheredBytes >= GROUP_BYTES) this.#writeGathered(nowMs);
  }

  /** Writes what is pushed in `work` together, for less effort: before this returns, or anybody asks for it. */
  together(work: () => void): void {
    this.#isGathering = true;
    try {
      work();
    } finally {
      this.#isGathering = false;
      this.#writeGathered(this.#settings.clock.now());
    }
  }

  /** As {@link push} for each of the records, but for less effort. */
  pushAll(records: readonly IngestRecord[], nowMs: number): void {
    if (records.length === 0) return;
    this.#writeGathered(nowMs);
    this.#arrivals.note(this.#firstNumber + this.length, nowMs);
    this.#store(records, nowMs);
  }

  #writeGathered(nowMs: number): void {
    if (this.#gathered.length === 0) return;
    const records = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    this.#store(records, nowMs);
  }

  #store(records: readonly IngestRecord[], nowMs: number): void {
    const written = this.#memory.length === 0 && !this.#isClosed ? this.#write(records, nowMs) : 0;
    for (let i = written; i < records.length; i++) this.#memory.push(records[i]!);
    if (this.#memory.length > 0 && !this.#isClosed) this.#rescue(nowMs, RESCUE_BYTES);
  }

  shift(): IngestRecord | undefined {
    return this.#take({ maxRecords: 1, maxBytes: 0 }, true)[0];
  }

  /**
   * Takes the oldest records, whose numbers end before {@link firstNumber} as it is afterwards. There may be none
   * although {@link length} isn't 0 when the disk doesn't give them at the moment; try again later then.
   */
  take(limits: BatchLimits): IngestRecord[] {
    return this.#take(limits, false);
  }

  takeBatch(): Batch | undefined {
    const records = this.take(this.#settings.limits);
    return records.length === 0 ? undefined : batchOf(records);
  }

  /**
   * All records with smaller numbers are delivered or given up. The position on the disk is the end of a
   * {@link take}: when a part of a batch is settled, all of it comes again after the death of the process.
   */
  settle(beforeNumber: number): void {
    const cursor = this.#settlement.settle(beforeNumber);
    // After the end all that is here belongs to whoever takes it.
    if (cursor !== undefined && !this.#hasLeft) this.#queue.settle(cursor);
  }

  /**
   * Takes over what dead processes with the same destination left, as far as `maxBytes` allows; the records come
   * after those that are here. To be called at the start, and from time to time. Never rejects.
   *
   * @returns how many records came.
   */
  adopt(): Promise<number> {
    this.#adopting ??= this.#adoptAll().finally(() => {
      this.#adopting = undefined;
    });
    return this.#adopting;
  }

  /** Writes what is only in memory, if the disk takes it. @returns whether nothing is left in memory. */
  writeOut(): boolean {
    this.#writeGathered(this.#settings.clock.now());
    this.#health.endRest();
    return this.#rescue(this.#settings.clock.now(), Number.POSITIVE_INFINITY);
  }

  /**
   * Gives the directory up: what isn't settled is there for the next process, and without such records it goes. Never
   * rejects.
   *
   * @returns records that aren't settled and could not be written: nobody will find them.
   */
  close(): Promise<readonly IngestRecord[]> {
    this.#closing ??= this.#closeSlowly();
    return this.#closing;
  }

  /** As {@link close}, for the end of the process. Never throws. */
  closeSync(): readonly IngestRecord[] {
    if (this.#isClosed) return [];
    this.#writeGathered(this.#settings.clock.now());
    this.#isClosed = true;
    this.#home.look();
    const left = this.#saveMemory();
    this.#home.seal();
    this.#sync.flushSync();
    this.#leave();
    return left;
  }

  async #closeSlowly(): Promise<readonly IngestRecord[]> {
    if (this.#isClosed) return [];
    this.#writeGathered(this.#settings.clock.now());
    this.#isClosed = true;
    this.#home.look();
    const left = this.#saveMemory();
    await this.#adopting;
    this.#home.seal();
    await this.#sync.flush();
    this.#leave();
    return left;
  }

  #take(limits: BatchLimits, isDrop: boolean): IngestRecord[] {
    this.#writeGathered(this.#settings.clock.now());
    let taken = this.#queue.length > 0 ? this.#queue.take(limits) : [];
    const isInMemory = taken.length === 0 && this.#queue.length === 0;
    if (isInMemory) taken = this.#memory.take(limits);
    if (taken.length === 0) return taken;
    this.#firstNumber += taken.length;
    this.#arrivals.forget(this.#firstNumber, this.length === 0);
    this.#settlement.taken({
      number: this.#firstNumber,
      cursor: this.#queue.cursor,
      eventBytes: taken.reduce((sum, { byteLength }) => sum + byteLength, 0),
      inMemory: isInMemory && !isDrop ? taken : [],
      isDrop,
    });
    return taken;
  }

  async #adoptAll(): Promise<number> {
    const { clock } = this.#settings;
    if (this.#isClosed || !this.#rescue(clock.now(), Number.POSITIVE_INFINITY)) return 0;
    this.#try(clock.now(), () => this.#home.writer(clock.now()));
    if (this.#home.path === undefined) return 0;
    const records = await this.#adoption.run(this.#home.path);
    if (!this.#hasToldOfOthers && !this.#isClosed) {
      this.#hasToldOfOthers = true;
      await this.#adoption.tellOfOthers();
    }
    return records;
  }

  /** Adopted records come behind those on the disk, so there must be none in memory behind which they should come. */
  #takeIn(segment: Segment): boolean {
    this.#writeGathered(this.#settings.clock.now());
    if (this.#memory.length > 0 || this.#isClosed) return false;
    this.#home.seal();
    this.#arrivals.note(this.#firstNumber + this.length, this.#settings.clock.now());
    const before = this.length;
    this.#queue.add(segment);
    this.#settings.onAdopted?.(this.length - before);
    return true;
  }

  /** Moves records from memory to the disk. @returns whether nothing is left in memory. */
  #rescue(nowMs: number, maxBytes: number): boolean {
    for (let moved = 0; this.#memory.length > 0 && moved < maxBytes; ) {
      if (this.#health.isResting(nowMs)) return false;
      const records = this.#memory.take({ maxRecords: Number.POSITIVE_INFINITY, maxBytes: RESCUE_BYTES });
      const written = this.#write(records, nowMs);
      if (written < records.length) {
        const rest = [...records.slice(written), ...this.#memory.take(EVERYTHING)];
        this.#memory = new RecordQueue();
        for (const record of rest) this.#memory.push(record);
        return false;
      }
      moved += records.reduce((sum, { byteLength }) => sum + byteLength, 0);
    }
    this.#tellIfMended();
    return this.#memory.length === 0;
  }

  /** @returns how many of the records are on the disk now: the first ones. */
  #write(records: readonly IngestRecord[], nowMs: number): number {
    if (this.#health.isResting(nowMs)) return 0;
    const lines = this.#lines;
    let written = 0;
    this.#try(nowMs, () => {
      for (const [index, record] of records.entries()) {
        lines.add(record);
        if (index < records.length - 1 && lines.bytes.length < GROUP_BYTES) continue;
        this.#home.writer(nowMs).append(lines);
        lines.clear();
        written = index + 1;
      }
    });
    lines.clear();
    return written;
  }

  #removed(path: string): void {
    this.#adoption.forget();
    this.#settings.onTrouble(
      `The spool directory ${path} or its lock was removed. The spool continues in a new directory; records that were not sent yet may be lost.`,
    );
  }

  /** Does something with the disk. @returns whether that went well. */
  #try(nowMs: number, work: () => void): boolean {
    const isDone = this.#health.try(nowMs, work);
    if (isDone) this.#tellIfMended();
    return isDone;
  }

  #tellIfMended(): void {
    if (this.#memory.length === 0) this.#health.caughtUp();
  }

  /** Writes what would be lost otherwise. @returns what can't be written. */
  #saveMemory(): IngestRecord[] {
    const records = [...this.#settlement.inMemory, ...this.#memory.take(EVERYTHING)];
    this.#health.endRest();
    return records.slice(this.#write(records, this.#settings.clock.now()));
  }

  #leave(): void {
    this.#hasLeft = true;
    if (this.#queue.length === 0 && this.#settlement.isComplete) this.#queue.settleAll();
    this.#queue.close();
    this.#home.leave();
  }
}
