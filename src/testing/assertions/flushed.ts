import { LogException } from '../../core/errors.ts';
import { startRealTimer, stopRealTimer } from '../../core/real-timers.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

/** With simulated failures of the server, a flush could outlast the test. */
const FLUSH_LIMIT_MS = 2_000;

/**
 * Evaluates an assertion when all records have arrived, or after a timeout.
 *
 * @param needsAll whether a missing record could turn a success into a failure.
 * @throws LogException if the result depends on missing records.
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
    timer = startRealTimer(resolve, limitMs, false);
  });
  try {
    return await Promise.race([flushing.then(() => true), timeout]);
  } finally {
    stopRealTimer(timer);
  }
}
