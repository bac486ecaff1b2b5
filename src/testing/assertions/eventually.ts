import { requireInteger } from '../../core/option-checks.ts';
import { startRealTimer } from '../../core/real-timers.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** Below the default test timeout of vitest and Jest (5 s), so that the test fails with our message. */
const DEFAULT_TIMEOUT_MS = 4_000;

const LOOK_EVERY_MS = 20;

// Read before a test can replace it with fake timers.
const now = performance.now.bind(performance);

/** @throws LogOptionsException */
export function resolveTimeout(owner: string, timeoutMs: number | undefined): number {
  return requireInteger(owner, 'timeoutMs', timeoutMs ?? DEFAULT_TIMEOUT_MS, { min: 1 });
}

/**
 * Evaluates an assertion repeatedly, until it passes, can't pass anymore, the time is up, or the test has ended.
 * Rethrows its errors.
 */
export async function eventually(
  context: AssertionContext,
  look: (context: AssertionContext) => Promise<Verdict>,
  timeoutMs: number,
): Promise<Verdict> {
  const begunAt = now();
  let flushing: Promise<unknown> | undefined;
  for (;;) {
    // A logger that can't deliver may need longer to report it than the test has.
    flushing ??= context.source.flush().finally(() => {
      flushing = undefined;
    });
    await Promise.race([flushing, pause()]);
    const verdict = await look(context);
    if (verdict.pass) return verdict;
    const waitedMs = Math.round(now() - begunAt);
    if (waitedMs >= timeoutMs || verdict.isFinal === true || context.isOver()) {
      const more = ['', ...context.undelivered()];
      const explain = async () => [`Waited ${waitedMs} ms.`, ...(await verdict.explain()), ...more];
      return { ...verdict, explain };
    }
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => void startRealTimer(resolve, LOOK_EVERY_MS));
}
