import { LogException } from '../../core/errors.ts';
import type { LogAssertion } from './verdict.ts';

const NO_PROOF =
  'A missing record could match, so this proves nothing. Let the logger deliver all records, or check only those that arrive.';

/**
 * Evaluates an assertion when all records have arrived, or after a timeout. It throws a LogException if the result depends
 * on missing records.
 *
 * @param needsAll whether a missing record could turn a success into a failure. Default: if it is negated
 */
export function flushed(look: LogAssertion, needsAll?: boolean): LogAssertion {
  return async (context) => {
    const missing = await context.source.flush();
    const verdict = await look(context);
    if (missing.length === 0) return verdict;
    if ((needsAll ?? context.isNot) && verdict.pass !== context.isNot)
      throw new LogException([...missing, NO_PROOF].join('\n'), 'LOG_TIMEOUT');
    return { ...verdict, explain: async () => [...(await verdict.explain()), '', ...missing] };
  };
}
