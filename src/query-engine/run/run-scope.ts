import { QueryMemoryError } from '../query-memory-error.ts';
import type { RunContext, RunLimits, RunScope } from './run-context.ts';

/**
 * A run as its operators see it.
 *
 * @param warn takes what they warn of.
 * @param onTime told when one of them asks for the time or the interval.
 */
export function newScope(
  context: RunContext,
  warn: (text: string) => void,
  onTime: () => void = () => {},
): RunScope {
  const { timeZone, prepared, limits, isParser = false } = context;
  const asked = (time: number): number => {
    onTime();
    return time;
  };
  return {
    get start() {
      return asked(context.start);
    },
    get end() {
      return asked(context.end);
    },
    get now() {
      return asked(context.now);
    },
    timeZone,
    warn,
    isParser,
    ...(isParser && { discards: { count: 0 } }),
    ...(prepared && { prepared }),
    ...(limits && { limits, maxGroups: limits.maxGroups, retain: memoryOf(limits) }),
  };
}

/** For what is made anew whenever a result is read: it is let go with the result, and so is the memory counted. */
export function scopeOfRead(run: RunScope): RunScope {
  const { limits } = run;
  return limits === undefined ? run : Object.assign(Object.create(run), { retain: memoryOf(limits) });
}

function memoryOf({ maxBytes }: RunLimits): (bytes: number) => void {
  let held = 0;
  return (bytes) => {
    held += bytes;
    if (held > maxBytes) throw new QueryMemoryError(maxBytes);
  };
}
