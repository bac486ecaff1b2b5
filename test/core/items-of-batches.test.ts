import { describe, expect, it } from 'vitest';
import { ItemsOfBatches } from '../../src/core/items-of-batches.ts';
import { collect } from '../helpers/collect.ts';

/** Batches, and whether their generator was closed by its reader. */
function batchesOf(batches: readonly (readonly number[])[]) {
  const state = { isReturned: false };
  async function* open(): AsyncGenerator<readonly number[], void, undefined> {
    try {
      for (const batch of batches) yield batch;
    } finally {
      state.isReturned = true;
    }
  }
  return { state, open };
}

/** Yields a batch, then waits until it is closed or the caller aborts. */
async function* endless(signal: AbortSignal): AsyncGenerator<readonly number[], void, undefined> {
  yield [1, 2];
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const END = { done: true, value: undefined };

describe('ItemsOfBatches', () => {
  it('yields all items in order', async () => {
    const { open } = batchesOf([[1, 2], [], [3], []]);
    expect(await collect(new ItemsOfBatches(open))).toEqual([1, 2, 3]);
  });

  it('resolves concurrent next() calls in order', async () => {
    const items = new ItemsOfBatches(batchesOf([[1], [2, 3]]).open);
    const results = await Promise.all([1, 2, 3, 4, 5].map(() => items.next()));
    expect(results.map(({ value }) => value)).toEqual([1, 2, 3, undefined, undefined]);
    expect(results.map(({ done }) => done)).toEqual([false, false, false, true, true]);
  });

  it.each([
    ['within a batch', 1, true],
    ['while it waits', 2, true],
    ['within a batch', 1, false],
    ['while it waits', 2, false],
  ])('ends when the caller aborts %s (after %i items, quietly: %s)', async (_, count, endsQuietly) => {
    const caller = new AbortController();
    const items = new ItemsOfBatches(endless, { signal: caller.signal, endsQuietly });
    for (let n = 0; n < count; n++) await items.next();
    const next = count === 2 ? items.next() : undefined;
    caller.abort(new Error('enough'));
    const ending = expect(next ?? items.next());
    await (endsQuietly ? ending.resolves.toEqual(END) : ending.rejects.toThrow('enough'));
    expect(await items.next()).toEqual(END);
  });

  it('opens nothing after an abort', async () => {
    const { open, state } = batchesOf([[1]]);
    const items = new ItemsOfBatches(open, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(items.next()).rejects.toThrow('enough');
    expect(state.isReturned).toBe(false);
  });

  it('ends while it waits when it is closed, without an error', async () => {
    const items = new ItemsOfBatches(endless);
    const results = [1, 2, 3].map(() => items.next());
    await results[1];
    await items.return();
    expect(await results[2]).toEqual(END);
  });

  it('ends and closes the batches when the loop breaks within a batch', async () => {
    const { open, state } = batchesOf([[1, 2, 3], [4]]);
    const items = new ItemsOfBatches(open);
    for await (const item of items) if (item === 2) break;
    expect(state.isReturned).toBe(true);
    expect(await items.next()).toEqual(END);
  });

  it('rejects with the error of the batches, then ends', async () => {
    async function* failing(): AsyncGenerator<readonly number[], void, undefined> {
      yield [1];
      throw new Error('broken off');
    }
    const items = new ItemsOfBatches(failing);
    expect(await items.next()).toEqual({ done: false, value: 1 });
    await expect(items.next()).rejects.toThrow('broken off');
    expect(await items.next()).toEqual(END);
  });
});
