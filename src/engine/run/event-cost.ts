import { QueryLimitError } from '../query-limit-error.ts';

/** Shorter values cost next to nothing. */
const LONG_TEXT = 10_000;
/** The clock is read after this many characters of long values. */
const CHARACTERS_PER_CHECK = 500_000;
/**
 * CPU time limit for the long values of one event: nothing else runs until all steps have processed it. It counts all
 * threads of the process, so other threads can shorten it.
 */
const MAX_EVENT_MS = 100;

/** Steps of regular expressions for one event, which need about as long. */
const MAX_EVENT_STEPS = 4_000_000;

let isMetered = false;
let steps = 0;
let startMs: number | undefined;
let unchecked = 0;

/** Limits the cost of one event until {@link endEvent}. A suspended machine costs nothing. */
export function startEvent(): void {
  isMetered = true;
  startMs = undefined;
  steps = 0;
}

/** Ends the limit. @returns whether the event had long values. */
export function endEvent(): boolean {
  isMetered = false;
  return startMs !== undefined;
}

/** The number of steps left for the regular expressions of the event. */
export function leftSteps(): number {
  return isMetered ? MAX_EVENT_STEPS - steps : MAX_EVENT_STEPS;
}

export function spendSteps(count: number): void {
  steps += count;
}

/** Counts a string that a step reads or creates, and returns it. @throws QueryLimitError */
export function metered(text: string): string {
  if (text.length > LONG_TEXT && isMetered) addCost(text.length);
  return text;
}

function addCost(characters: number): void {
  unchecked += characters;
  if (startMs !== undefined && unchecked < CHARACTERS_PER_CHECK) return;
  unchecked = 0;
  const now = cpuTime();
  startMs ??= now;
  if (now - startMs <= MAX_EVENT_MS) return;
  throw new QueryLimitError(
    `its steps need more than ${MAX_EVENT_MS} ms for the long values of one event, the limit of this server. Use fewer steps or shorten the values first.`,
  );
}

/** CPU time of the process, in milliseconds; wall time in browsers, which do not report it. */
export function cpuTime(): number {
  if (typeof process === 'undefined') return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
