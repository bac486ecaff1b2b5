/** What all that is done at one exit may take together. Whoever starts a process loses patience after ten seconds. */
const MAX_EXIT_MS = 9_500;

/** One ingester behind another that used up its time still gets this much: its service may be a better one. */
const MIN_TURN_MS = 1_500;

let exitBegan: number | undefined;

/**
 * Milliseconds that are left at the exit of this thread for somebody who wants `timeoutMs`, counted from the moment of
 * the first call. Together nobody takes longer than {@link MAX_EXIT_MS}.
 */
export function exitTimeLeft(timeoutMs: number, now = performance.now()): number {
  exitBegan ??= now;
  const passedMs = now - exitBegan;
  return Math.min(MAX_EXIT_MS - passedMs, Math.max(timeoutMs - passedMs, MIN_TURN_MS));
}
