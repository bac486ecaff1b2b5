import { startRealTimer, stopRealTimer } from '../core/real-timers.ts';

/** Resolves when `promise` settles, or after `maxMs`. Keeps the process alive while it waits. */
export async function settlesWithin(promise: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = startRealTimer(resolve, maxMs);
  });
  await Promise.race([promise, timeout]);
  stopRealTimer(timer);
}
