/** Why a record was given up: no room in the queue, refused by the service, or left when the ingester closed. */
export type DropReason = 'overflow' | 'rejected' | 'closed';

/**
 * The counters of an ingester. At every moment `accepted` equals `delivered`, plus all of `dropped`, plus
 * `queuedRecords`, plus `inFlightRecords`.
 */
export interface IngesterStats {
  /** Records that were added. */
  readonly accepted: number;
  /** Records that the service has confirmed. */
  readonly delivered: number;
  /** Records that were given up, by reason. */
  readonly dropped: Readonly<Record<DropReason, number>>;
  /** Records that wait for a batch. */
  readonly queuedRecords: number;
  /** The bytes of the records that wait for a batch. */
  readonly queuedBytes: number;
  /** Records of batches that were sent, or will be sent again, and aren't confirmed. */
  readonly inFlightRecords: number;
  /** Batches that the service has confirmed. */
  readonly batches: number;
  /** Attempts that failed and were, or will be, made again. */
  readonly retried: number;
}

/** Counts records through their life. */
export class RecordCounter {
  #accepted = 0;
  #delivered = 0;
  readonly #dropped: Record<DropReason, number> = { overflow: 0, rejected: 0, closed: 0 };
  #batches = 0;
  #retried = 0;

  accept(): void {
    this.#accepted++;
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

  snapshot(waiting: Pick<IngesterStats, 'queuedRecords' | 'queuedBytes' | 'inFlightRecords'>): IngesterStats {
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
