import { requireInteger } from '../../internal/option-checks.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** Below the five seconds that vitest and Jest give a test, so that it fails with our message. */
const DEFAULT_TIMEOUT_MS = 4_000;

const LOOK_EVERY_MS = 20;

// Taken before a test can put false ones in their place.
const startTimer = globalThis.setTimeout;
const now = performance.now.bind(performance);

/** @throws LogOptionsException */
export function resolveTimeout(owner: string, timeoutMs: number | undefined): number {
  return requireInteger(owner, 'timeoutMs', timeoutMs ?? DEFAULT_TIMEOUT_MS, { min: 1 });
}

/** Looks again and again, until that passes, can't pass any more, the time is up or the test is over. What a look throws is passed on. */
export async function eventually(
  context: AssertionContext,
  look: (context: AssertionContext) => Promise<Verdict>,
  timeoutMs: number,
): Promise<Verdict> {
  const begunAt = now();
  let flushing: Promise<void> | undefined;
  for (;;) {
    // A logger that can't deliver takes longer to say so than the test may have.
    flushing ??= context.source.flush().finally(() => {
      flushing = undefined;
    });
    await Promise.race([flushing, pause()]);
    const verdict = await look(context);
    if (verdict.pass) return verdict;
    const waitedMs = Math.round(now() - begunAt);
    if (waitedMs >= timeoutMs || verdict.isFinal === true || context.isOver()) {
      const undelivered = context.undelivered();
      const more = undelivered.length === 0 ? [] : ['', ...undelivered];
      const explain = async () => [`Waited ${waitedMs} ms.`, ...(await verdict.explain()), ...more];
      return { pass: false, explain };
    }
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    startTimer(resolve, LOOK_EVERY_MS);
  });
}
