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
  /** Records added, including records adopted from the spool of a process that has exited. */
  readonly accepted: number;
  /** Records confirmed by the service. */
  readonly delivered: number;
  /** Dropped records, counted by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Records waiting in memory to be sent. */
  readonly queuedRecords: number;
  /** Size of the records waiting in memory, in bytes. */
  readonly queuedBytes: number;
  /** Records waiting in the spool to be sent. After close, these are the records that the next process will send. */
  readonly spooledRecords: number;
  /** Records in batches that have been sent or are being retried, but are not yet confirmed. */
  readonly inFlightRecords: number;
  /** Batches confirmed by the service. */
  readonly batches: number;
  /** Failed attempts that have been or will be retried. */
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
