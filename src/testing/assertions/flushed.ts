import { LogException } from '../../errors.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** A server that is made to fail must not hold up a test until its runner ends it. */
const FLUSH_LIMIT_MS = 2_000;

// Taken before a test can put false ones in their place.
const startTimer = globalThis.setTimeout;
const stopTimer = globalThis.clearTimeout;

/**
 * Looks when everything has arrived, or the time for that is up.
 *
 * @param needsAll whether a record that has not arrived could turn a success into a failure.
 * @throws LogException where that can't be told.
 */
export async function flushed(
  context: AssertionContext,
  look: (context: AssertionContext) => Promise<Verdict>,
  needsAll: boolean,
): Promise<Verdict> {
  const isComplete = await flushWithin(context.source.flush(), FLUSH_LIMIT_MS);
  const verdict = await look(context);
  if (isComplete) return verdict;
  const head = `Not all records were delivered within ${FLUSH_LIMIT_MS} ms.`;
  const lines = [head, ...context.undelivered()];
  if (needsAll && verdict.pass !== context.isNot) throw new LogException(lines.join('\n'), 'LOG_TIMEOUT');
  return { ...verdict, explain: async () => [...(await verdict.explain()), '', ...lines] };
}

async function flushWithin(flushing: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    timer = startTimer(resolve, limitMs, false);
  });
  try {
    return await Promise.race([flushing.then(() => true), timeout]);
  } finally {
    stopTimer(timer);
  }
}
