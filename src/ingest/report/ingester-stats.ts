/**
 * Reason for a drop: the queue was full (`overflow`), the service rejected the record (`rejected`), it was undelivered
 * or logged at close (`closed`), or unreadable in the spool (`damaged`).
 */
export type DropReason = 'overflow' | 'rejected' | 'closed' | 'damaged';

/**
 * Counters of an ingester. `accepted` always equals `delivered` plus all of `dropped`, `queuedRecords`,
 * `spooledRecords` and `inFlightRecords`.
 */
export interface IngesterStats {
  /** Records added, including those adopted from the spool of a process that exited. */
  readonly accepted: number;
  /** Records that the service confirmed. */
  readonly delivered: number;
  /** Dropped records, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Records that wait in memory to be sent. */
  readonly queuedRecords: number;
  /** Size of these records in bytes. */
  readonly queuedBytes: number;
  /** Records that wait in the spool. After close, those that the next process will send. */
  readonly spooledRecords: number;
  /** Records in batches that were sent or are being retried, and are not yet confirmed. */
  readonly inFlightRecords: number;
  /** Batches that the service confirmed. */
  readonly batches: number;
  /** Failed attempts that were or will be retried. */
  readonly retried: number;
}

/** What the backlog knows of the counters. */
export type WaitingRecords = Pick<
  IngesterStats,
  'queuedRecords' | 'queuedBytes' | 'spooledRecords' | 'inFlightRecords'
>;

/** Counts records through their life. */
export class RecordCounter {
  #accepted = 0;
  #delivered = 0;
  readonly #dropped: Record<DropReason, number> = { overflow: 0, rejected: 0, closed: 0, damaged: 0 };
  #batches = 0;
  #retried = 0;

  accept(records: number): void {
    this.#accepted += records;
  }

  deliver(records: number, batches = 1): void {
    this.#delivered += records;
    this.#batches += batches;
  }

  drop(reason: DropReason, records: number): void {
    this.#dropped[reason] += records;
  }

  retry(attempts = 1): void {
    this.#retried += attempts;
  }

  snapshot(waiting: WaitingRecords): IngesterStats {
    return Object.freeze({
      accepted: this.#accepted,
      delivered: this.#delivered,
      dropped: Object.freeze({ ...this.#dropped }),
      ...waiting,
      batches: this.#batches,
      retried: this.#retried,
    });
  }
}
