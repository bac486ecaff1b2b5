import { afterEach, beforeEach } from 'vitest';

/** No test blocks this thread for this long; a suspended machine does. */
const SUSPENDED_MS = 1_000;

const CHECK_INTERVAL_MS = 100;

// Tests replace the clock and the timers, and must not look suspended.
const now = performance.now.bind(performance);

/** The latest suspension: its length and its end, on the clock of `performance.now()`. */
let last = { ms: 0, endedAt: Number.NEGATIVE_INFINITY };
let checkedAt = now();

setInterval(() => {
  const at = now();
  if (at - checkedAt > SUSPENDED_MS) last = { ms: at - checkedAt, endedAt: at };
  checkedAt = at;
}, CHECK_INTERVAL_MS).unref();

const startedAt = new WeakMap<object, number>();

beforeEach(({ task }) => void startedAt.set(task, now()));

// Virtual machines are sometimes suspended, which makes a program's timeouts meaningless. A test that fails with this
// message is retried; any other failure is final.
afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || last.endedAt < startedAt.get(task)!) return;
  const message = `The machine was suspended for ${Math.round(last.ms)} ms.`;
  console.warn(`${message} Meanwhile this test failed: ${task.name}`);
  throw new Error(message);
});
