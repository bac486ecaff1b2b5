import { readDuration } from '../../core/duration.ts';
import { wrongKind } from '../../core/option-checks.ts';
import { requireNoSign } from '../query/query-options.ts';

/** A number and a unit with at most one space: live queries accept nothing else. */
const LENGTH = /^\s*\d+ ?[a-z]+\s*$/;

/** Its length in milliseconds; `undefined` for any other value. */
export function relativeMs(start: unknown): number | undefined {
  return typeof start === 'string' && LENGTH.test(start) ? readDuration(start) : undefined;
}

/** The same. @throws LogOptionsException for any other value */
export function relativeStartMs(owner: string, start: unknown): number {
  const lengthMs = relativeMs(start);
  if (lengthMs !== undefined) return lengthMs;
  requireNoSign(owner, 'start', start);
  throw wrongKind(owner, '"start"', 'a relative time such as "10 minutes"', start);
}
