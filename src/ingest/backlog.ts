import { BatchIds } from './batch/batch-ids.ts';
import { BatchQueue } from './batch/batch-queue.ts';
import { SendQueue } from './batch/send-queue.ts';
import { SplittableBatch } from './batch/splittable-batch.ts';
import type { DeliveryContext } from './delivery-context.ts';
import type { ResolvedIngesterOptions } from './options.ts';
import type { IngestRecord } from './record/record.ts';
import type { LostRecords } from './report/delivery-event.ts';
import type { WaitingRecords } from './report/ingester-stats.ts';
import { Spool } from './spool/spool.ts';

/** All records that are not settled, unpacked or packed for sending. Enforces the limit of the queue. */
export class Backlog {
  readonly sendQueue = new SendQueue();
  /** Records that are not packed. */
  readonly queue: BatchQueue | Spool;
  readonly #context: DeliveryContext;
  readonly #options: ResolvedIngesterOptions;
  readonly #spool: Spool | undefined;
  /** Only with a spool; in memory, the queue marks the records. */
  readonly #batchIds: BatchIds | undefined;
  /** Number of records that were left in the spool on close. */
  #leftInSpool: number | undefined;

  /** @param onAdopted called when records of an exited process were adopted from the spool. */
  constructor(context: DeliveryContext, onAdopted: () => void) {
    const { options, sizeLimit } = context;
    this.#context = context;
    this.#options = options;
    const batchIds = options.batchIds ? new BatchIds(options.hec && 'fields') : undefined;
    this.#spool = openSpool(context, onAdopted);
    this.queue = this.#spool ?? new BatchQueue(sizeLimit, options.format, batchIds);
    this.#batchIds = this.#spool && batchIds;
  }

  /** True also if the rest was left in the spool for the next process. */
  get isEmpty(): boolean {
    if (this.#leftInSpool !== undefined) return true;
    return this.queue.length === 0 && this.sendQueue.firstNumber === undefined;
  }

  /** Number of the next record to be added. */
  get nextNumber(): number {
    return this.queue.firstNumber + this.queue.length;
  }

  /** All records with a smaller number are delivered or dropped. */
  get settledBefore(): number {
    if (this.#leftInSpool !== undefined) return this.nextNumber;
    return this.sendQueue.firstNumber ?? this.queue.firstNumber;
  }

  /** True if batches are packed before they can be sent. Spooled records stay on disk until then. */
  get packsAhead(): boolean {
    return this.#spool === undefined;
  }

  get waiting(): WaitingRecords {
    const isSpooled = this.#spool !== undefined;
    return {
      queuedRecords: this.sendQueue.waitingRecords + (isSpooled ? 0 : this.queue.length),
      queuedBytes: this.sendQueue.waitingBytes + (isSpooled ? 0 : this.queue.byteLength),
      inFlightRecords: this.sendQueue.inFlightRecords,
      spooledRecords: this.#leftInSpool ?? (isSpooled ? this.queue.length : 0),
      strandedRecords: this.#spool?.strandedRecords ?? 0,
    };
  }

  /** True if the queue is at most half full and has capacity for `bytes` more. */
  isHalfEmpty(bytes: number): boolean {
    const isHalfEmpty = this.#heldBytes <= this.#maxBytes / 2 && this.#heldBytes + bytes <= this.#maxBytes;
    const memoryBytes = this.#spool?.memoryBytes ?? 0;
    return isHalfEmpty && memoryBytes <= this.#options.maxQueueBytes / 2 && !this.#isMemoryFull(bytes);
  }

  hasRoom({ byteLength }: IngestRecord): boolean {
    return this.#heldBytes + byteLength <= this.#maxBytes && !this.#isMemoryFull(byteLength);
  }

  /** True if the empty queue would have capacity for the record. */
  fits({ byteLength }: IngestRecord): boolean {
    return byteLength <= this.#maxBytes;
  }

  /** Removes the oldest records until there is capacity, if that helps. Batches in flight stay. */
  makeRoom(record: IngestRecord): LostRecords {
    const packed: SplittableBatch[] = [];
    const queued: IngestRecord[] = [];
    // In a spool, records behind a batch in flight stay on disk until it is settled: dropping them frees nothing.
    const helps = this.#spool === undefined || this.sendQueue.inFlight === 0;
    // If the disk fails, dropping spooled records frees no memory.
    while (helps && !this.hasRoom(record) && !this.#isMemoryFull(record.byteLength)) {
      const batch = this.sendQueue.shift();
      const oldest = batch === undefined ? this.queue.shift() : undefined;
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
    // In a spool, a record is marked before it is written, because its batch may differ after a restart.
    this.queue.push(this.#batchIds?.markAlone(record, this.nextNumber) ?? record, nowMs);
  }

  /** With a spool, writes the records pushed in `work` together, before this returns. */
  batchWrites<Result>(work: () => Result): Result {
    return this.#spool === undefined ? work() : this.#spool.batchWrites(work);
  }

  /** Moves a batch to the send queue. @returns `undefined` if the disk can't be read at the moment. */
  pack(): SplittableBatch | undefined {
    const packed = this.queue.takeBatch();
    if (packed === undefined) return undefined;
    const firstNumber = this.queue.firstNumber - packed.length;
    const batch = new SplittableBatch(packed, firstNumber, this.#options.compression);
    this.sendQueue.push(batch);
    return batch;
  }

  settled(): void {
    this.sendQueue.recount();
    this.#spool?.settle(this.settledBefore);
  }

  async adopt(): Promise<void> {
    await this.#spool?.adopt();
  }

  /** Moves the next batch in flight. @returns `undefined` if there is none, or the disk can't be read at the moment. */
  takeNext(): SplittableBatch | undefined {
    const { sendQueue } = this;
    const { needOthers } = this.#context.refusals;
    const canHoldMore = sendQueue.heldBytes < this.#options.maxQueueBytes;
    if (sendQueue.waiting === 0 || (needOthers && canHoldMore)) this.pack();
    return sendQueue.takeNext(needOthers);
  }

  /** Removes a batch that was in flight and is settled. */
  remove(batch: SplittableBatch): void {
    this.sendQueue.remove(batch);
    this.settled();
  }

  /** Empties the queue. @returns the lost records. A spool keeps all records that it could write. */
  end(): LostRecords {
    if (this.#spool !== undefined) return this.#leaveInSpool(this.#spool);
    while (this.queue.length > 0) this.pack();
    return lostRecords(this.sendQueue.clear(), []);
  }

  #leaveInSpool(spool: Spool): LostRecords {
    const { queuedRecords, inFlightRecords } = this.waiting;
    const left = queuedRecords + inFlightRecords + spool.length;
    const lost = spool.close();
    this.sendQueue.clear();
    this.#leftInSpool = left - lost.length;
    this.#context.accounting.leftInSpool(this.#leftInSpool, this.#options.spool?.directory ?? '');
    return lostRecords([], lost);
  }

  get #maxBytes(): number {
    return this.#options.spool?.maxBytes ?? this.#options.maxQueueBytes;
  }

  get #heldBytes(): number {
    return this.#spool?.heldBytes ?? this.queue.byteLength + this.sendQueue.heldBytes;
  }

  /** True if the disk fails and there is no memory for more records. */
  #isMemoryFull(bytes: number): boolean {
    const memoryBytes = this.#spool?.memoryBytes ?? 0;
    return memoryBytes > 0 && memoryBytes + bytes > this.#options.maxQueueBytes;
  }
}

function openSpool(context: DeliveryContext, onAdopted: () => void): Spool | undefined {
  const { clock, accounting, sizeLimit: limits, redactor } = context;
  const { spool, connection, endpoint, token, format } = context.options;
  if (spool === undefined) return undefined;
  return new Spool({
    ...spool,
    destination: { baseUrl: connection.baseUrl, endpoint, token },
    format,
    clock,
    limits,
    redact:
      redactor &&
      ((record) => {
        const redacted = redactor.redact(record);
        if (redacted !== undefined) accounting.redacted(redactor.values);
        return redacted;
      }),
    onTrouble: (message) => accounting.spoolTrouble(message),
    onLost: (records, message) => accounting.damaged(records, message),
    onAdopted: (records) => {
      accounting.adopted(records);
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
