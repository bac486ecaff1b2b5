import { startRealTimer } from '../../core/real-timers.ts';
import { uptimeMs } from '../../core/uptime.ts';
import { settlesWithin } from '../../ingest/settles-within.ts';
import { undelivered } from '../loggers/capture-delivery.ts';
import type { AssertionContext, LogAssertion, Verdict } from './verdict.ts';

/** Below the default test timeout of vitest and Jest (5 s), so that the test fails with our message. */
export const DEFAULT_TIMEOUT_MS = 4_000;

const LOOK_EVERY_MS = 20;

/** With the default timeout, still below that of the test. */
const LAST_FLUSH_MS = 500;

/**
 * Evaluates an assertion repeatedly, until it passes, can't pass anymore, the time is up, or the test has ended.
 * Rethrows its errors.
 */
export async function eventually(
  context: AssertionContext,
  look: LogAssertion,
  timeoutMs: number,
): Promise<Verdict> {
  const begunAt = uptimeMs();
  let flushing: Promise<unknown> | undefined;
  for (;;) {
    // A logger that can't deliver may need longer to report it than the test has.
    const isLast = uptimeMs() - begunAt >= timeoutMs;
    // A flush only waits for records that were logged before it.
    if (isLast) flushing = undefined;
    flushing ??= context.source.flush().finally(() => {
      flushing = undefined;
    });
    await settlesWithin(flushing, isLast ? LAST_FLUSH_MS : LOOK_EVERY_MS);
    const verdict = await look(context);
    if (verdict.pass) return verdict;
    if (isLast || verdict.searched === undefined || context.isOver()) {
      const waitedMs = Math.round(uptimeMs() - begunAt);
      const more = undelivered(context.loggers);
      const explain = async () => [...(await verdict.explain()), '', ...more, `Waited ${waitedMs} ms.`];
      return { ...verdict, explain };
    }
    await new Promise((resolve) => void startRealTimer(resolve, LOOK_EVERY_MS));
  }
}
