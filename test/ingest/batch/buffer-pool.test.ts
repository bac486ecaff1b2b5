import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { batchOf } from '../../../src/ingest/batch/batch-builder.ts';
import { BufferPool } from '../../../src/ingest/batch/buffer-pool.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';

describe('BufferPool', () => {
  it('keeps unused buffers up to its size, the larger ones first', () => {
    const pool = new BufferPool(100);
    const [small, middle, large] = [Buffer.alloc(30), Buffer.alloc(40), Buffer.alloc(60)];
    for (const memory of [small, middle, large]) pool.giveBack(memory);
    expect(pool.take(60)).toBe(large);
    expect(pool.take(40)).toBe(middle);
    expect(pool.take(30)).not.toBe(small);
  });

  it('keeps no buffer that is larger than the pool', () => {
    const pool = new BufferPool(100);
    const memory = Buffer.alloc(101);
    pool.giveBack(memory);
    expect(pool.take(101)).not.toBe(memory);
  });

  it('returns a buffer within the requested sizes', () => {
    const pool = new BufferPool(100);
    const memory = Buffer.alloc(50);
    pool.giveBack(memory);
    expect(pool.take(51)).not.toBe(memory);
    expect(pool.take(20, 49)).not.toBe(memory);
    expect(pool.take(20, 50)).toBe(memory);
  });
});

it('A compressed batch reuses the memory of a released one', () => {
  const record = createRecord(`{"attributes":{"n":"${randomBytes(200_000).toString('base64')}"}}`, '{}');
  const batch = batchOf([record]);
  const { memory } = batch.encodeSync('gzip');
  batch.release();
  expect(batchOf([record]).encodeSync('gzip').memory).toBe(memory);
});
