import type { Batch } from './batch/batch.ts';
import { split } from './batch/batch-builder.ts';
import { batchMarker } from './batch/batch-ids.ts';
import { BatchQueue } from './batch/batch-queue.ts';
import { SendQueue } from './batch/send-queue.ts';
import type { DeliveryContext } from './delivery-context.ts';
import { hasFailed, isLoneSuspect, type Shipment } from './failure-policy.ts';
import type { ResolvedIngesterOptions } from './options.ts';
import type { IngestRecord } from './record/record.ts';
import type { LostRecords } from './report/delivery-event.ts';
import type { WaitingRecords } from './report/ingester-stats.ts';
import type { Delay } from './send/retry-backoff.ts';
import type { SendOutcome } from './send/sender.ts';
import { Spool } from './spool/spool.ts';

/** Batches that have failed may need more memory than `maxQueueBytes`, up to this. */
const MAX_FAILED_BYTES = 8 * 1024 * 1024;

/**
 * All records that are not settled, unpacked or packed for sending. Enforces the limit of the queue, and applies the
 * failure policy to the packed ones.
 */
export class Backlog {
  readonly sendQueue = new SendQueue();
  /** Records that are not packed. */
  readonly queue: BatchQueue | Spool;
  readonly #context: DeliveryContext;
  readonly #options: ResolvedIngesterOptions;
  readonly #spool: Spool | undefined;
  readonly #mark: ReturnType<typeof batchMarker> | undefined;
  /** Number of records that were left in the spool on close. */
  #leftInSpool: number | undefined;

  /** @param onAdopted called when records of an exited process were adopted from the spool. */
  constructor(context: DeliveryContext, onAdopted: () => void) {
    const { options, sizeLimit } = context;
    this.#context = context;
    this.#options = options;
    this.#spool = openSpool(context, () => this.#openBytes, onAdopted);
    this.queue = this.#spool ?? new BatchQueue(sizeLimit, options.format);
    this.#mark = options.batchIds ? batchMarker(options.hec && 'fields') : undefined;
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
    if (this.#leftInSpool !== undefined) return Number.POSITIVE_INFINITY;
    return this.sendQueue.firstNumber ?? this.queue.firstNumber;
  }

  /** True if batches are packed before they can be sent. Spooled records stay on disk until then. */
  get packsAhead(): boolean {
    return this.#spool === undefined;
  }

  /** True if the next process will send the rest. */
  get hasLeftRecords(): boolean {
    return this.#leftInSpool !== undefined && this.#leftInSpool > 0;
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

  /** Removes the oldest records until there is capacity. Batches in flight stay. */
  makeRoom(record: IngestRecord): LostRecords {
    const packed: Batch[] = [];
    const queued: IngestRecord[] = [];
    // In a spool, a packed batch stays on disk until those before it are settled. So others are dropped first.
    const dropsPacked = this.#spool === undefined || this.sendQueue.inFlightRecords === 0;
    // If the disk fails, dropping spooled records frees no memory.
    while (!this.hasRoom(record) && !this.#isMemoryFull(record.byteLength)) {
      const first = dropsPacked ? this.sendQueue.shift() : undefined;
      const oldest = first === undefined ? this.queue.dropOldest() : [];
      const batch = first ?? (oldest.length === 0 ? this.sendQueue.shift() : undefined);
      if (batch !== undefined) packed.push(batch);
      else if (oldest.length > 0) queued.push(...oldest);
      else break;
      this.#settleSpool();
    }
    return lostRecords(packed, queued);
  }

  push(record: IngestRecord, nowMs: number): void {
    this.queue.push(this.#mark?.(record, this.nextNumber) ?? record, nowMs);
  }

  /** With a spool, writes the records pushed in `work` together, before this returns. */
  batchWrites<Result>(work: () => Result): Result {
    return this.#spool === undefined ? work() : this.#spool.batchWrites(work);
  }

  /** Moves a batch to the send queue. @returns `undefined` if the disk can't be read at the moment. */
  pack(): Batch | undefined {
    const batch = this.queue.takeBatch();
    if (batch === undefined) return undefined;
    batch.firstNumber = this.queue.firstNumber - batch.length;
    this.sendQueue.push(batch);
    return batch;
  }

  /** Moves what is sent next in flight. @returns `undefined` if nothing may be sent now. */
  next(): Shipment | undefined {
    const { sendQueue } = this;
    const { policy } = this.#context;
    // An outage can last for days.
    const canHoldMore =
      sendQueue.heldBytes < this.#options.maxQueueBytes ||
      (sendQueue.heldBytes < MAX_FAILED_BYTES && sendQueue.waiting.every(hasFailed));
    if (policy.needsOthers && canHoldMore) this.pack();
    const shipment = policy.next(sendQueue.waiting, (batch, parts) => sendQueue.putBack(batch, parts));
    if (shipment !== undefined) sendQueue.take(shipment.batch);
    return shipment;
  }

  /**
   * Settles the records that were sent, or puts them back.
   *
   * @returns the pause before the next request; `undefined` if there is no time left for one.
   */
  settle(shipment: Shipment, response: SendOutcome, tookMs: number): Delay | undefined {
    const { sendQueue } = this;
    const { accounting, policy } = this.#context;
    const { batch, sent, rest } = shipment;
    const outcome = policy.doubted(response, sent);
    const verdict = policy.judge(shipment, outcome, tookMs / this.#options.requestTimeoutMs);
    const invalid = outcome.kind === 'rejected' ? outcome.invalidRecord : undefined;
    if (verdict === 'kept') sendQueue.putBack(batch);
    else sendQueue.putBack(batch, verdict === 'split' ? split(batch, invalid) : rest);
    // The records are settled first, because a hook may read the counters.
    if (outcome.kind === 'delivered') accounting.delivered(sent.length);
    else if (verdict === 'dropped') accounting.rejected(lostRecords([sent]), outcome);
    else if (outcome.kind !== 'rejected')
      accounting.retried(outcome, policy.report(shipment, outcome), policy.isHurried);
    this.#settleSpool();
    if (policy.isFinal(outcome)) return undefined;
    batch.history.isResting = true;
    return policy.delay(shipment, outcome, sendQueue.waiting);
  }

  async adopt(): Promise<void> {
    await this.#spool?.adopt();
  }

  /** Empties the queue. @returns the lost records. A spool keeps all records that it could write. */
  end(): LostRecords {
    if (this.#spool !== undefined) return this.#leaveInSpool(this.#spool);
    while (this.queue.length > 0) this.pack();
    return lostRecords(this.sendQueue.clear());
  }

  #leaveInSpool(spool: Spool): LostRecords {
    this.#moveSuspects(spool);
    const left = this.sendQueue.waitingRecords + spool.length;
    const lost = spool.close((number) =>
      this.sendQueue.waiting.some(
        ({ firstNumber, length }) => firstNumber <= number && number < firstNumber + length,
      ),
    );
    this.sendQueue.clear();
    this.#leftInSpool = left - lost.length;
    this.#context.accounting.leftInSpool(this.#leftInSpool, this.#options.spool?.directory ?? '');
    return lostRecords([], lost);
  }

  /** If only records at fault are left, writes them behind all others: the next process sends everything behind the first one. */
  #moveSuspects(spool: Spool): void {
    this.sendQueue.recall();
    const { waiting } = this.sendQueue;
    const records = waiting.flatMap((batch) => batch.records());
    if (records.length === 0 || !waiting.every(isLoneSuspect)) return;
    if (!spool.append(records, this.#context.world.clock.now())) return;
    this.sendQueue.clear();
    this.#settleSpool();
  }

  #settleSpool(): void {
    this.#spool?.settle(this.settledBefore);
  }

  get #maxBytes(): number {
    return this.#options.spool?.maxBytes ?? this.#options.maxQueueBytes;
  }

  get #heldBytes(): number {
    const { heldBytes, eventBytes } = this.sendQueue;
    // On disk, delivered records stay behind one that is tried again. They don't keep others out.
    return this.queue.byteLength + (this.#spool === undefined ? heldBytes : eventBytes);
  }

  /** If all requests have failed, others are needed: those of exited processes, too. */
  get #openBytes(): number {
    const needsOthers = this.queue.length === 0 && this.sendQueue.waiting.every(hasFailed);
    return needsOthers ? 0 : this.#heldBytes;
  }

  /** True if the disk fails and there is no memory for more records. */
  #isMemoryFull(bytes: number): boolean {
    const memoryBytes = this.#spool?.memoryBytes ?? 0;
    return memoryBytes > 0 && memoryBytes + bytes > this.#options.maxQueueBytes;
  }
}

function openSpool(
  context: DeliveryContext,
  openBytes: () => number,
  onAdopted: () => void,
): Spool | undefined {
  const { world, accounting, sizeLimit: limits, redactor } = context;
  const { spool, connection, endpoint, token, format } = context.options;
  if (spool === undefined) return undefined;
  return new Spool({
    ...spool,
    destination: { baseUrl: connection.baseUrl, endpoint, token },
    format,
    clock: world.clock,
    disk: world.disk,
    limits,
    openBytes,
    redact:
      redactor &&
      ((record) => {
        const redacted = redactor.redact(record);
        if (redacted !== undefined) accounting.redacted(redactor.values);
        return redacted;
      }),
    onTrouble: (message, isRare) => accounting.spoolTrouble(message, isRare),
    onLost: (records, message) => accounting.damaged(records, message),
    onAdopted: (records) => {
      accounting.adopted(records);
      onAdopted();
    },
  });
}

export function lostRecords(batches: readonly Batch[], records: readonly IngestRecord[] = []): LostRecords {
  const length = batches.reduce((sum, batch) => sum + batch.length, records.length);
  return { length, read: () => [...batches.flatMap((batch) => batch.records()), ...records] };
}
