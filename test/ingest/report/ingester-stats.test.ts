import { expect, it } from 'vitest';
import { addStats, NO_RECORDS, settledRecords, withLoss } from '../../../src/ingest/report/ingester-stats.ts';

const ONE = {
  accepted: 1,
  delivered: 2,
  dropped: { overflow: 3, rejected: 4, closed: 5, damaged: 6, unredactable: 14 },
  queuedRecords: 7,
  queuedBytes: 8,
  spooledRecords: 9,
  strandedRecords: 13,
  inFlightRecords: 10,
  batches: 11,
  retried: 12,
  redacted: 15,
};

it('addStats() adds every counter, including those of dropped records', () => {
  const doubled = {
    accepted: 2,
    delivered: 4,
    dropped: { overflow: 6, rejected: 8, closed: 10, damaged: 12, unredactable: 28 },
    queuedRecords: 14,
    queuedBytes: 16,
    spooledRecords: 18,
    strandedRecords: 26,
    inFlightRecords: 20,
    batches: 22,
    retried: 24,
    redacted: 30,
  };
  expect(addStats(ONE, ONE)).toEqual(doubled);
  expect(addStats(ONE, NO_RECORDS)).toEqual(ONE);
  expect(addStats(NO_RECORDS, ONE)).toEqual(ONE);
  expect(Object.keys(ONE)).toEqual(Object.keys(NO_RECORDS));
});

it('withLoss() settles what a worker has left, and keeps the sum of the counters', () => {
  expect(settledRecords(ONE)).toBe(34);
  expect(withLoss(ONE, 30)).toEqual({
    ...ONE,
    accepted: 64,
    dropped: { ...ONE.dropped, closed: 35 },
    queuedRecords: 0,
    queuedBytes: 0,
    spooledRecords: 0,
    strandedRecords: 0,
    inFlightRecords: 0,
  });
});
