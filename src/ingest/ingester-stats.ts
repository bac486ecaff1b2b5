/**
 * Why a record was given up: no room in the queue, refused by the service, left when the ingester closed, or not given
 * back by the disk of the spool.
 */
export type DropReason = 'overflow' | 'rejected' | 'closed' | 'damaged';

/**
 * The counters of an ingester. At every moment `accepted` equals `delivered`, plus all of `dropped`, plus
 * `queuedRecords`, plus `spooledRecords`, plus `inFlightRecords`.
 */
export interface IngesterStats {
  /** Records that were added, or were taken over from the spool of a process that ended. */
  readonly accepted: number;
  /** Records that the service has confirmed. */
  readonly delivered: number;
  /** Records that were given up, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Records that wait for a batch. */
  readonly queuedRecords: number;
  /** The bytes of the records that wait for a batch. */
  readonly queuedBytes: number;
  /** Records that wait in the spool; after the end, those that the next process will send. */
  readonly spooledRecords: number;
  /** Records of batches that were sent, or will be sent again, and aren't confirmed. */
  readonly inFlightRecords: number;
  /** Batches that the service has confirmed. */
  readonly batches: number;
  /** Attempts that failed and were, or will be, made again. */
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
