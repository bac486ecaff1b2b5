import { describe, expect, it } from 'vitest';
import { ItemsOfBatches } from '../../src/core/items-of-batches.ts';
import { collect } from '../helpers/collect.ts';

/** Batches, and whether their generator was closed by its reader. */
function batchesOf(batches: readonly (readonly number[])[]) {
  const state = { isReturned: false };
  async function* generate(): AsyncGenerator<readonly number[], void, undefined> {
    try {
      for (const batch of batches) yield batch;
    } finally {
      state.isReturned = true;
    }
  }
  return { state, generator: generate() };
}

describe('ItemsOfBatches', () => {
  it('yields all items in order, mapped by the function', async () => {
    const { generator } = batchesOf([[1, 2], [], [3], []]);
    expect(await collect(new ItemsOfBatches(generator, (n) => n * 10))).toEqual([10, 20, 30]);
  });

  it('resolves concurrent next() calls in order', async () => {
    const { generator } = batchesOf([[1], [2, 3]]);
    const items = new ItemsOfBatches(generator, (n) => n);
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => items.next()));
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
  });

  it('rejects if the function throws, then ends and closes the batches', async () => {
    const { generator, state } = batchesOf([[1, 2, 3], [4]]);
    const items = new ItemsOfBatches(generator, (n) => {
      if (n === 2) throw new Error('no two');
      return n;
    });
    expect(await items.next()).toEqual({ done: false, value: 1 });
    await expect(items.next()).rejects.toThrow('no two');
    expect(await items.next()).toEqual({ done: true, value: undefined });
    await expect.poll(() => state.isReturned).toBe(true);
  });

  it('ends and closes the batches when the loop breaks within a batch', async () => {
    const { generator, state } = batchesOf([[1, 2, 3], [4]]);
    const items = new ItemsOfBatches(generator, (n) => n);
    for await (const item of items) if (item === 2) break;
    expect(state.isReturned).toBe(true);
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });

  it('rejects with the error of the batches, then ends', async () => {
    async function* failing(): AsyncGenerator<readonly number[], void, undefined> {
      yield [1];
      throw new Error('broken off');
    }
    const items = new ItemsOfBatches(failing(), (n) => n);
    expect(await items.next()).toEqual({ done: false, value: 1 });
    await expect(items.next()).rejects.toThrow('broken off');
    expect(await items.next()).toEqual({ done: true, value: undefined });
  });
});
