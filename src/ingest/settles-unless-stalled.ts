import type { Clock, Timer } from '../core/clock.ts';

export interface StallOptions {
  readonly clock: Clock;
  /** Maximum time without progress, in milliseconds. */
  readonly stallMs: number;
  /** Returns a number that grows with progress. */
  readonly progress: () => number;
}

/**
 * Waits for a promise as long as there is progress.
 *
 * @returns true if it has settled; false after `stallMs` without progress.
 */
export async function settlesUnlessStalled(
  settled: Promise<void>,
  { clock, stallMs, progress }: StallOptions,
): Promise<boolean> {
  const outcome = settled.then(() => true);
  for (;;) {
    const before = progress();
    let timer: Timer | undefined;
    const stalled = new Promise<false>((resolve) => {
      timer = clock.startTimer(stallMs, () => resolve(false));
    });
    const isSettled = await Promise.race([outcome, stalled]);
    timer?.cancel();
    if (isSettled) return true;
    if (progress() === before) return false;
  }
}
