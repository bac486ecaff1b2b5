import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startDeadline } from '../../src/core/deadline.ts';
import { LogTimeoutException } from '../../src/core/errors.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('startDeadline() aborts with a LogTimeoutException that has the operation and the limit', () => {
  const deadline = startDeadline({ timeoutMs: 50, what: 'GET /x' });
  vi.advanceTimersByTime(49);
  expect(deadline.signal.aborted).toBe(false);
  vi.advanceTimersByTime(1);
  expect(deadline.signal.reason).toBeInstanceOf(LogTimeoutException);
  expect(deadline.signal.reason).toMatchObject({ message: expect.stringContaining('GET /x'), timeoutMs: 50 });
});

it("startDeadline() aborts with the reason of the caller's signal, even if it aborted earlier", () => {
  const reason = new Error('enough');
  const caller = new AbortController();
  const early = startDeadline({ signal: caller.signal, what: 'x' });
  caller.abort(reason);
  const late = startDeadline({ signal: caller.signal, what: 'x' });
  expect([early.signal.reason, late.signal.reason]).toEqual([reason, reason]);
});

it("clearTimeout() lifts the time limit and keeps the caller's signal", () => {
  const caller = new AbortController();
  const deadline = startDeadline({ signal: caller.signal, timeoutMs: 10, what: 'x' });
  deadline.clearTimeout();
  vi.advanceTimersByTime(100);
  expect(deadline.signal.aborted).toBe(false);
  caller.abort();
  expect(deadline.signal.aborted).toBe(true);
});

it("[Symbol.dispose]() removes the timer and the listener on the caller's signal", () => {
  const caller = new AbortController();
  const removed = vi.spyOn(caller.signal, 'removeEventListener');
  const deadline = startDeadline({ signal: caller.signal, timeoutMs: 10, what: 'x' });
  deadline[Symbol.dispose]();
  expect(vi.getTimerCount()).toBe(0);
  expect(removed).toHaveBeenCalledWith('abort', expect.any(Function));
  caller.abort();
  expect(deadline.signal.aborted).toBe(false);
});
