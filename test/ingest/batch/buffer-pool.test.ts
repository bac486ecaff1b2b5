import { describe, expect, it } from 'vitest';
import { BufferPool } from '../../../src/ingest/batch/buffer-pool.ts';

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

  it('returns a buffer of at least the requested size', () => {
    const pool = new BufferPool(100);
    const memory = Buffer.alloc(50);
    pool.giveBack(memory);
    expect(pool.take(51)).not.toBe(memory);
    expect(pool.take(50)).toBe(memory);
  });
});
