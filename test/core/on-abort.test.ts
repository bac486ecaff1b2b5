import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { abortable } from '../../src/core/abortable.ts';
import { delay } from '../../src/core/delay.ts';
import { forwardAbort } from '../../src/core/forward-abort.ts';
import { onAbort } from '../../src/core/on-abort.ts';

const CALLS = 30;

function times<T>(count: number, make: () => T): T[] {
  return Array.from({ length: count }, make);
}

// A process warning fails each of these tests.
describe('Many listeners of one signal', () => {
  it('cause no warning, and leave the signal as it was', async () => {
    const { signal } = new AbortController();
    const unlink = times(CALLS, () => forwardAbort(signal, new AbortController()));
    const delays = times(CALLS, () => delay(1, signal));
    const results = times(CALLS, () => abortable(Promise.resolve(7), signal));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await Promise.all([...delays, ...results]);
    for (const each of [...unlink, ...unlink]) each();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('are all called once with the reason when the signal aborts', async () => {
    const caller = new AbortController();
    const controllers = times(CALLS, () => new AbortController());
    for (const controller of controllers) forwardAbort(caller.signal, controller);
    const delays = times(CALLS, () => delay(60_000, caller.signal));
    const results = times(CALLS, () => abortable(new Promise(() => {}), caller.signal));
    const settled = Promise.allSettled([...delays, ...results]);
    caller.abort('enough');
    expect(controllers.map(({ signal }) => signal.reason)).toEqual(times(CALLS, () => 'enough'));
    expect(await settled).toEqual(times(2 * CALLS, () => ({ status: 'rejected', reason: 'enough' })));
  });
});

describe('onAbort()', () => {
  it('calls the listener immediately if the signal has aborted', async () => {
    let calls = 0;
    onAbort(AbortSignal.abort(), () => calls++)();
    expect(calls).toBe(1);
    await expect(delay(60_000, AbortSignal.abort('late'))).rejects.toBe('late');
    await expect(abortable(Promise.resolve(1), AbortSignal.abort('late'))).rejects.toBe('late');
  });

  it('calls listeners in the order in which they were added, and none that was removed', () => {
    const caller = new AbortController();
    const calls: number[] = [];
    const unlink = [1, 2, 3].map((number) => onAbort(caller.signal, () => calls.push(number)));
    unlink[1]!();
    unlink[1]!();
    caller.abort();
    for (const each of unlink) each();
    expect(calls).toEqual([1, 3]);
    onAbort(caller.signal, () => calls.push(4));
    expect(calls).toEqual([1, 3, 4]);
  });

  it('accepts signals of another implementation', () => {
    const listeners: unknown[] = [];
    const signal = {
      aborted: false,
      addEventListener: (_: string, listener: unknown) => listeners.push(listener),
      removeEventListener: (_: string, listener: unknown) => listeners.splice(listeners.indexOf(listener), 1),
    };
    const unlink = onAbort(signal as unknown as AbortSignal, () => {});
    expect(listeners).toHaveLength(1);
    unlink();
    expect(listeners).toEqual([]);
  });
});
