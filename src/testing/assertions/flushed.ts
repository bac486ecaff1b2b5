import { LogException, LogOptionsException } from '../../core/errors.ts';
import type { AssertionTarget } from './assertion-target.ts';
import type { AssertionContext, Verdict } from './verdict.ts';

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
  const missing = await context.source.flush();
  const verdict = await look(context);
  if (missing.length === 0) return verdict;
  if (needsAll && verdict.pass !== context.isNot) throw new LogException(missing.join('\n'), 'LOG_TIMEOUT');
  return { ...verdict, explain: async () => [...(await verdict.explain()), '', ...missing] };
}

/** @throws LogOptionsException if no record could arrive, so that an assertion proves nothing */
export async function requireInput({ hadLogger, source }: Omit<AssertionTarget, 'pending'>): Promise<void> {
  if (hadLogger() || (await source.find({ kind: 'query', queryString: 'head(1)' }, {})).length > 0) return;
  throw new LogOptionsException(
    'No logger is captured or tracked, and no record has arrived, so this proves nothing: call logs.capture(logger) or logs.track(logger). If another process logs, wait for one of its records first.',
  );
}
