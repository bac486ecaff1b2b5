import { QueryError } from '../query-engine/index.ts';
import { isOverTime, runWithin } from './time-limit.ts';

/** Nobody else has a turn while a query is compiled. */
const MAX_COMPILE_MS = 1000;

/**
 * Compiles a query or a script, but not for long.
 *
 * @throws QueryError when it takes too long, besides what `compile` throws.
 */
export function compileWithin<Compiled>(source: string, compile: () => Compiled): Compiled {
  try {
    return runWithin(MAX_COMPILE_MS, compile);
  } catch (error) {
    if (!isOverTime(error)) throw error;
    const problem = `The query takes longer than ${MAX_COMPILE_MS} ms to compile. Use fewer and shorter regular expressions`;
    throw new QueryError(problem, source, { start: 0, end: source.length });
  }
}
