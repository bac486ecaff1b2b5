import type { IngesterOptions } from '../ingester-options.ts';

/** What all that is done at one exit may take together. Whoever starts a process loses patience after ten seconds. */
const MAX_EXIT_MS = 9_500;

/** One ingester behind another that used up its time still gets this much: its service may be a better one. */
const MIN_TURN_MS = 1_500;

/** What the result needs to get to those who wait, before they stop waiting. */
const REPORT_MS = 250;

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

/** Milliseconds that are left for the delivery itself, when somebody waits until `deadline`, in epoch milliseconds. */
export function deliveryTimeLeft({ closeTimeoutMs = 5_000 }: IngesterOptions, deadline: number): number {
  return Math.max(1, Math.min(closeTimeoutMs, deadline - Date.now() - REPORT_MS));
}
