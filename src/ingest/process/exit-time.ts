/** Maximum duration of an exit. Process managers usually kill after ten seconds. */
const MAX_EXIT_MS = 9_500;

/** Minimum time for an ingester if another one has used up the time: its service may respond. */
const MIN_TURN_MS = 1_500;

let exitStartedAt: number | undefined;

/** Milliseconds of `timeoutMs` that are left since this thread started to exit, for all callers together. */
export function exitTimeLeft(timeoutMs: number, now = performance.now()): number {
  exitStartedAt ??= now;
  const passedMs = now - exitStartedAt;
  return Math.min(MAX_EXIT_MS - passedMs, Math.max(timeoutMs - passedMs, MIN_TURN_MS));
}
