import { afterEach, beforeEach } from 'vitest';

/** No test makes this thread wait for so long; a machine does that has no time for anybody. */
const STANDSTILL_MS = 1_000;

const LOOK_EVERY_MS = 100;

/** For how long, and until when, on the clock of `performance.now()`. */
let last = { ms: 0, endedAt: Number.NEGATIVE_INFINITY };
let lookedAt = performance.now();

setInterval(() => {
  const now = performance.now();
  if (now - lookedAt > STANDSTILL_MS) last = { ms: now - lookedAt, endedAt: now };
  lookedAt = now;
}, LOOK_EVERY_MS).unref();

const begunAt = new WeakMap<object, number>();

beforeEach(({ task }) => void begunAt.set(task, performance.now()));

// What a program does within seconds can't be judged on a machine that stood still meanwhile, as virtual machines do now and
// then. vitest runs a test again that fails with this message; others fail for good.
afterEach(({ task }) => {
  if (task.result?.state !== 'fail' || last.endedAt < begunAt.get(task)!) return;
  const message = `The machine stood still for ${Math.round(last.ms)} ms.`;
  console.warn(`${message} Meanwhile this test failed: ${task.name}`);
  throw new Error(message);
});
