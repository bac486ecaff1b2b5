import type { Clock, Timer } from './clock.ts';

export interface StallOptions {
  readonly clock: Clock;
  /** How long there may be no progress, in milliseconds. */
  readonly stallMs: number;
  /** A number that grows with progress. */
  readonly progress: () => number;
}

/**
 * Waits for a promise as long as there is progress.
 *
 * @returns whether it has settled; false when there was no progress for `stallMs`.
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
