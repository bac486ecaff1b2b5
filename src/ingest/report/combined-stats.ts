import { type IngesterStats, RecordCounter } from './ingester-stats.ts';

/** The counters of a delivery that has not begun. */
export const NO_RECORDS: IngesterStats = new RecordCounter().snapshot({
  queuedRecords: 0,
  queuedBytes: 0,
  spooledRecords: 0,
  inFlightRecords: 0,
});

/** The counters of two deliveries, one after the other. */
export function addStats(a: IngesterStats, b: IngesterStats): IngesterStats {
  return sumOf(a, b) as IngesterStats;
}

/** Records that are delivered or were given up. */
export function settledRecords({ delivered, dropped }: IngesterStats): number {
  return delivered + dropped.overflow + dropped.rejected + dropped.closed + dropped.damaged;
}

/** What is known of the records of a worker that is dead: those that it has not delivered are dropped. */
export function withLoss(stats: IngesterStats, lostRecords: number): IngesterStats {
  return Object.freeze({
    ...stats,
    accepted: settledRecords(stats) + lostRecords,
    dropped: Object.freeze({ ...stats.dropped, closed: stats.dropped.closed + lostRecords }),
    queuedRecords: 0,
    queuedBytes: 0,
    spooledRecords: 0,
    inFlightRecords: 0,
  });
}

function sumOf(a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return b ?? a;
  const members = Object.entries({ ...a, ...b }).map(([name]) => [
    name,
    sumOf((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  ]);
  return Object.freeze(Object.fromEntries(members));
}
