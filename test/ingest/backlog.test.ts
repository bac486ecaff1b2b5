import { describe, expect, it, vi } from 'vitest';
import { Backlog } from '../../src/ingest/backlog.ts';
import { BatchSizeLimit } from '../../src/ingest/batch/batch-size-limit.ts';
import type { DeliveryContext } from '../../src/ingest/delivery-context.ts';
import { resolveIngesterOptions } from '../../src/ingest/options.ts';
import { createRecord } from '../../src/ingest/record/record.ts';

const MAX_BYTES = 64 * 1024;
const KIB_RECORD = createRecord(`{"attributes":{"text":"${'x'.repeat(1_024 - 26)}"}}`, '{}');

/** A queue of 64 KiB in memory with this many records of 1 KiB. */
function backlogWith(records: number): Backlog {
  const options = resolveIngesterOptions(
    { baseUrl: 'http://logs.example', ingestToken: 'a-token', maxQueueBytes: MAX_BYTES },
    'test',
  );
  const context = {
    options,
    sizeLimit: new BatchSizeLimit({ maxRecords: 1_000, maxBytes: 1_000_000 }),
  } as unknown as DeliveryContext;
  const backlog = new Backlog(context, () => {});
  for (let n = 0; n < records; n++) backlog.push(KIB_RECORD, 0);
  return backlog;
}

describe('A queue in memory', () => {
  it('is half empty up to half of its size', () => {
    expect([0, 32, 33, 64].map((records) => backlogWith(records).isHalfEmpty(0))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('is not half empty for a record that does not fit', () => {
    const backlog = backlogWith(32);
    expect([32, 33].map((kib) => backlog.isHalfEmpty(kib * 1_024))).toEqual([true, false]);
  });

  it('makes room while a batch is in flight', () => {
    const backlog = backlogWith(64);
    vi.spyOn(backlog.sendQueue, 'inFlightRecords', 'get').mockReturnValue(1);
    expect(backlog.hasRoom(KIB_RECORD)).toBe(false);
    backlog.makeRoom(KIB_RECORD);
    expect(backlog.hasRoom(KIB_RECORD)).toBe(true);
  });

  it('drops nothing to make room while all records are in flight', () => {
    const backlog = backlogWith(64);
    backlog.sendQueue.take(backlog.pack()!);
    expect(backlog.hasRoom(KIB_RECORD)).toBe(false);
    expect(backlog.makeRoom(KIB_RECORD).length).toBe(0);
    expect(backlog.waiting.inFlightRecords).toBe(64);
  });
});
