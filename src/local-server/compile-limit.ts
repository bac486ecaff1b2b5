import { QueryError } from '../query-engine/index.ts';
import { OverTimeError, runWithin } from './time-limit.ts';

/** Nobody else has a turn while a query is compiled. */
const MAX_COMPILE_MS = 1000;
/** The same on a machine that is so busy with others that the process hardly computes. */
const MAX_BUSY_COMPILE_MS = 5000;

/**
 * Compiles a query or a script, but not for long. What has hardly had a turn on the processor is tried once more.
 *
 * @throws QueryError when it takes too long, besides what `compile` throws.
 */
export function compileWithin<Compiled>(source: string, compile: () => Compiled): Compiled {
  try {
    return runWithin(MAX_COMPILE_MS, compile);
  } catch (error) {
    if (!(error instanceof OverTimeError)) throw error;
    if (!error.isStandstill) throw tooSlow(source);
  }
  try {
    return runWithin(MAX_BUSY_COMPILE_MS, compile);
  } catch (error) {
    throw error instanceof OverTimeError ? tooSlow(source) : error;
  }
}

function tooSlow(source: string): QueryError {
  const problem = `The query takes longer than ${MAX_COMPILE_MS} ms to compile. Use fewer and shorter regular expressions`;
  return new QueryError(problem, source, { start: 0, end: source.length });
}
