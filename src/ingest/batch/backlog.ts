import type { Clock } from '../../internal/clock.ts';
import type { ResolvedIngesterOptions } from '../options.ts';
import type { IngestRecord } from '../record/record.ts';
import type { DeliveryAccounting } from '../report/delivery-accounting.ts';
import type { WaitingRecords } from '../report/ingester-stats.ts';
import type { LostRecords } from '../report/lost-records.ts';
import { Spool } from '../spool/spool.ts';
import type { BatchLimits } from './batch-builder.ts';
import { BatchIds } from './batch-ids.ts';
import { BatchQueue } from './batch-queue.ts';
import type { RecordStore } from './record-store.ts';
import { SendQueue } from './send-queue.ts';
import { SplittableBatch } from './splittable-batch.ts';

export interface BacklogOptions {
  readonly ingester: ResolvedIngesterOptions;
  readonly clock: Clock;
  readonly accounting: DeliveryAccounting;
  /** Of batches, as far as they are known now. */
  readonly limits: BatchLimits;
  /** Called when records of a process that ended have joined it. */
  readonly onAdopted: () => void;
}

/**
 * All records that are accepted and not settled: in the queue, which is in memory or on a disk, or in the sendQueue,
 * packed. It knows how many there are, and what has to go when there are too many.
 */
export class Backlog {
  readonly sendQueue = new SendQueue();
  readonly #options: ResolvedIngesterOptions;
  readonly #accounting: DeliveryAccounting;
  readonly #spool: Spool | undefined;
  readonly #queue: RecordStore;
  /** Only for a spool. */
  readonly #batchIds: BatchIds | undefined;
  /** What was left on the disk at the end. */
  #leftInSpool: number | undefined;

  constructor(options: BacklogOptions) {
    const { ingester, accounting, limits } = options;
    this.#options = ingester;
    this.#accounting = accounting;
    const batchIds = ingester.batchIds ? new BatchIds() : undefined;
    this.#spool = openSpool(options);
    this.#queue = this.#spool ?? new BatchQueue(limits, ingester.format, batchIds);
    this.#batchIds = this.#spool && batchIds;
  }

  /** What is left in a spool after the end is the affair of the next process. */
  get isEmpty(): boolean {
    if (this.#leftInSpool !== undefined) return true;
    return this.#queue.length === 0 && this.sendQueue.firstNumber === undefined;
  }

  get hasQueued(): boolean {
    return this.#queue.length > 0;
  }

  /** The number of the oldest record in the queue. */
  get firstQueued(): number {
    return this.#queue.firstNumber;
  }

  /** The number of the record that comes next. */
  get nextNumber(): number {
    return this.#queue.firstNumber + this.#queue.length;
  }

  /** All records with a smaller number are delivered or dropped. */
  get settledBefore(): number {
    if (this.#leftInSpool !== undefined) return this.nextNumber;
    return this.sendQueue.firstNumber ?? this.#queue.firstNumber;
  }

  get queuedRecords(): number {
    return this.#queue.length;
  }

  /** Whether the batch that comes next can't grow any more. */
  get hasFullBatch(): boolean {
    return this.#queue.hasFullBatch;
  }

  /** When the oldest record in the queue came, in epoch milliseconds. */
  get oldestArrival(): number | undefined {
    return this.#queue.oldestArrival;
  }

  /** Whether a batch may be packed before it can be sent. What is on a disk stays there until then. */
  get packsAhead(): boolean {
    return this.#spool === undefined;
  }

  get waiting(): WaitingRecords {
    const isSpooled = this.#spool !== undefined;
    return {
      queuedRecords: this.sendQueue.waitingRecords + (isSpooled ? 0 : this.#queue.length),
      queuedBytes: this.sendQueue.waitingBytes + (isSpooled ? 0 : this.#queue.byteLength),
      inFlightRecords: this.sendQueue.inFlightRecords,
      spooledRecords: this.#leftInSpool ?? (isSpooled ? this.#queue.length : 0),
    };
  }

  /** Whether it is at most half full and has room for `bytes` more. */
  isHalfEmpty(bytes: number): boolean {
    const isHalfEmpty = this.#heldBytes <= this.#maxBytes / 2 && this.#heldBytes + bytes <= this.#maxBytes;
    const memoryBytes = this.#spool?.memoryBytes ?? 0;
    return isHalfEmpty && memoryBytes <= this.#options.maxQueueBytes / 2 && !this.#isMemoryFull(bytes);
  }

  hasRoom({ byteLength }: IngestRecord): boolean {
    return this.#heldBytes + byteLength <= this.#maxBytes && !this.#isMemoryFull(byteLength);
  }

  /** Whether there would be room for the record if there were no others. */
  fits({ byteLength }: IngestRecord): boolean {
    return byteLength <= this.#maxBytes;
  }

  /** Removes the oldest records until there is room, as far as that helps. What is in flight stays. */
  makeRoom(record: IngestRecord): LostRecords {
    const packed: SplittableBatch[] = [];
    const queued: IngestRecord[] = [];
    // What is behind a batch under way stays on the disk until that is settled: giving it up makes no room.
    const helps = this.#spool === undefined || this.sendQueue.inFlight === 0;
    // Where the disk fails, giving up what is on it frees no memory.
    while (helps && !this.hasRoom(record) && !this.#isMemoryFull(record.byteLength)) {
      const batch = this.sendQueue.shift();
      const oldest = batch === undefined ? this.#queue.shift() : undefined;
      if (batch !== undefined) packed.push(batch);
      else if (oldest !== undefined) queued.push(oldest);
      else break;
      this.#spool?.settle(this.settledBefore);
    }
    const release = (): void => {
      for (const batch of packed) batch.release();
    };
    return { ...lostRecords(packed, queued), release };
  }

  push(record: IngestRecord, nowMs: number): void {
    this.#queue.push(this.#spool === undefined ? record : this.#forDisk(record), nowMs);
  }

  /** For those who push many records in `work`: a disk gets them together, before this returns. */
  together(work: () => void): void {
    if (this.#spool === undefined) work();
    else this.#spool.together(work);
  }

  /** Moves a batch from the queue to the sendQueue. @returns `undefined` when the disk gives nothing back now */
  pack(): SplittableBatch | undefined {
    const packed = this.#queue.takeBatch();
    if (packed === undefined) return undefined;
    const firstNumber = this.#queue.firstNumber - packed.length;
    const batch = new SplittableBatch(packed, firstNumber, this.#options.compression);
    this.sendQueue.push(batch);
    return batch;
  }

  /** To be called when records have been delivered or given up. */
  settled(): void {
    this.sendQueue.recount();
    this.#spool?.settle(this.settledBefore);
  }

  /** Takes over what processes that ended have left on the disk. */
  async adopt(): Promise<void> {
    await this.#spool?.adopt();
  }

  /** Takes back what is under way: no answer comes any more. */
  recall(): void {
    this.sendQueue.recall();
  }

  /** Sends the next batch off. @returns `undefined` when there is none, or a disk gives nothing back now */
  depart(): SplittableBatch | undefined {
    if (this.sendQueue.waiting === 0) this.pack();
    return this.sendQueue.depart();
  }

  /** A batch is settled. */
  arrived(batch: SplittableBatch): void {
    this.sendQueue.arrived(batch);
    this.settled();
  }

  /** Ends it. @returns what nobody keeps now; a spool keeps all that it could write */
  end(): LostRecords {
    if (this.#spool !== undefined) return this.#leaveInSpool(this.#spool);
    while (this.#queue.length > 0) this.pack();
    return lostRecords(this.sendQueue.clear(), []);
  }

  /**
   * A record for a disk needs its marks at once: after a restart its batch may be another one. And it can't only show
   * memory: a disk that fails is told of, and a hook that hears of it may log.
   */
  #forDisk(record: IngestRecord): IngestRecord {
    return this.#batchIds?.markAlone(record, this.nextNumber) ?? record.kept();
  }

  #leaveInSpool(spool: Spool): LostRecords {
    const { queuedRecords, inFlightRecords } = this.waiting;
    const left = queuedRecords + inFlightRecords + spool.length;
    const lost = spool.closeSync();
    this.sendQueue.clear();
    this.#leftInSpool = left - lost.length;
    this.#accounting.leftInSpool(this.#leftInSpool, this.#options.spool?.directory ?? '');
    return lostRecords([], lost);
  }

  get #maxBytes(): number {
    return this.#options.spool?.maxBytes ?? this.#options.maxQueueBytes;
  }

  get #heldBytes(): number {
    return this.#spool?.heldBytes ?? this.#queue.byteLength + this.sendQueue.heldBytes;
  }

  /** The disk fails, and there is no more memory for what it doesn't take. */
  #isMemoryFull(bytes: number): boolean {
    const memoryBytes = this.#spool?.memoryBytes ?? 0;
    return memoryBytes > 0 && memoryBytes + bytes > this.#options.maxQueueBytes;
  }
}

function openSpool({ ingester, clock, accounting, limits, onAdopted }: BacklogOptions): Spool | undefined {
  const { spool, connection, endpoint, token } = ingester;
  if (spool === undefined) return undefined;
  return Spool.open({
    ...spool,
    destination: { baseUrl: connection.baseUrl, endpoint, token },
    clock,
    limits,
    onTrouble: (message) => accounting.spoolTrouble(message),
    onLost: (records, message) => accounting.damaged(records, message),
    onAdopted: (records) => {
      accounting.accepted(records);
      onAdopted();
    },
  });
}

export function lostRecords(
  batches: readonly SplittableBatch[],
  records: readonly IngestRecord[],
): LostRecords {
  const length = batches.reduce((sum, batch) => sum + batch.length, records.length);
  return { length, read: () => [...batches.flatMap((batch) => batch.records()), ...records] };
}
