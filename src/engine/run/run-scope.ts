import { QueryMemoryError } from '../query-limit-error.ts';
import type { ComparedFields } from './compared-fields.ts';
import type { RunContext, RunLimits, RunScope } from './run-context.ts';
import { SearchBudget } from './search-budget.ts';

/**
 * A run as its operators see it.
 *
 * @param warn receives their warnings.
 * @param onTime called when one of them reads the time or the interval.
 * @param compared collects what comparisons with numbers have met.
 */
export function newScope(
  context: RunContext,
  warn: (text: string) => void,
  onTime: () => void = () => {},
  compared?: ComparedFields,
): RunScope {
  const { prepared, limits, isParser = false } = context;
  const readTime = (time: number): number => {
    onTime();
    return time;
  };
  return {
    get start() {
      return readTime(context.start);
    },
    get end() {
      return readTime(context.end);
    },
    get now() {
      return readTime(context.now);
    },
    get timeZone() {
      return context.timeZone;
    },
    warn,
    isParser,
    discards: { count: 0 },
    searches: new SearchBudget(),
    ...(compared && { compared }),
    ...(prepared && { prepared }),
    ...(limits && { limits, ...memoryOf(limits) }),
  };
}

/** The scope of computations that repeat each time a result is read. Their memory is released with the result. */
export function scopeOfRead(run: RunScope): RunScope {
  const { limits, retained } = run;
  return limits === undefined ? run : Object.assign(Object.create(run), memoryOf(limits, retained));
}

function memoryOf(
  { maxBytes, onRetain }: RunLimits,
  outer: () => number = () => 0,
): Pick<RunScope, 'retain' | 'retained'> {
  let own = 0;
  const retained = (): number => outer() + own;
  return {
    retained,
    retain(bytes) {
      own += bytes;
      if (retained() > maxBytes) throw new QueryMemoryError(maxBytes);
      onRetain?.(bytes);
    },
  };
}
