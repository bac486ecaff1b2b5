import { readDuration } from '../../core/duration.ts';
import { wrongKind } from '../../core/option-checks.ts';
import { requireNoSign } from '../query/query-options.ts';

/**
 * The length of a relative `start`, in milliseconds.
 *
 * @throws LogOptionsException for anything but a number and a unit, because live queries accept nothing else.
 */
export function relativeStartMs(owner: string, start: unknown): number {
  const lengthMs = parseLengthMs(start);
  if (lengthMs !== undefined) return lengthMs;
  requireNoSign(owner, 'start', start);
  throw wrongKind(owner, '"start"', 'a relative time such as "10 minutes"', start);
}

/** Whether a value is a number and a unit. */
export function isRelative(start: unknown): boolean {
  return parseLengthMs(start) !== undefined;
}

function parseLengthMs(start: unknown): number | undefined {
  return typeof start === 'string' ? readDuration(start) : undefined;
}
