import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { Mutex } from '../../src/core/mutex.ts';

it('a mutex runs tasks in order, also after one that fails and one that is aborted', async () => {
  const mutex = new Mutex();
  const order: number[] = [];
  const run = (n: number, signal?: AbortSignal) =>
    mutex.run(async () => {
      await setImmediate();
      order.push(n);
      if (n === 1) throw new Error('failed');
      return n;
    }, signal);
  const outcomes = await Promise.allSettled([run(1), run(2, AbortSignal.abort('stopped')), run(3), run(4)]);
  expect(order).toEqual([1, 3, 4]);
  expect(outcomes).toMatchObject([
    { reason: { message: 'failed' } },
    { reason: 'stopped' },
    { value: 3 },
    { value: 4 },
  ]);
});

it('a mutex keeps no result of an earlier task in memory', async () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const mutex = new Mutex();
  const results: WeakRef<object>[] = [];
  const run = async (): Promise<void> => void results.push(new WeakRef(await mutex.run(async () => ({}))));
  for (let n = 0; n < 5; n++) await run();
  await setImmediate();
  collectGarbage();
  expect(results.filter((result) => result.deref() !== undefined)).toEqual([]);
  await mutex.run(async () => {});
});
