/** Reason for a drop; see `reason` of `Drop`. */
export type DropReason = 'overflow' | 'rejected' | 'closed' | 'damaged' | 'unredactable';

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
  /**
   * Records in the spool directory that belong to another address, repository or token, such as a rotated one, or whose
   * folder can't be moved. They are kept, but this process doesn't send them, so `accepted` does not include them.
   */
  readonly strandedRecords: number;
  /** Records in batches that have been sent or are being retried, but are not yet confirmed. */
  readonly inFlightRecords: number;
  /** Batches confirmed by the service. */
  readonly batches: number;
  /** Failed attempts that have been or will be retried. */
  readonly retried: number;
  /** Values that were replaced by `redact`. */
  readonly redacted: number;
}

const NO_WAITING = {
  queuedRecords: 0,
  queuedBytes: 0,
  spooledRecords: 0,
  strandedRecords: 0,
  inFlightRecords: 0,
};

/** The counters of waiting records, which the backlog provides. */
export type WaitingRecords = Readonly<typeof NO_WAITING>;

/** Counters of a delivery that has not started. */
export const NO_RECORDS: IngesterStats = Object.freeze({
  accepted: 0,
  delivered: 0,
  dropped: Object.freeze({ overflow: 0, rejected: 0, closed: 0, damaged: 0, unredactable: 0 }),
  ...NO_WAITING,
  batches: 0,
  retried: 0,
  redacted: 0,
});

/** Adds the counters of two deliveries. */
export function addStats<Counters extends object>(a: Counters, b: Counters): Counters {
  const sums = Object.entries(a).map(([name, value]) => {
    const other = b[name as keyof Counters];
    return [name, typeof value === 'number' ? value + Number(other) : addStats(value, other)];
  });
  return Object.freeze(Object.fromEntries(sums));
}

/** Number of records that are delivered or dropped. */
export function settledRecords({ delivered, dropped }: IngesterStats): number {
  return Object.values(dropped).reduce((sum, records) => sum + records, delivered);
}

/** Counters of a crashed worker: records that it has not delivered count as dropped. */
export function withLoss(stats: IngesterStats, lostRecords: number): IngesterStats {
  return Object.freeze({
    ...stats,
    ...NO_WAITING,
    accepted: settledRecords(stats) + lostRecords,
    dropped: Object.freeze({ ...stats.dropped, closed: stats.dropped.closed + lostRecords }),
  });
}
