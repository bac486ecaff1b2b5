import * as timers from 'node:timers';

// Read before a test can replace them with fake timers.
const { setTimeout: startTimer, clearTimeout: stopTimer } = timers;

/** Resolves when `promise` settles, or after `maxMs`. Keeps the process alive while it waits. */
export async function settlesWithin(promise: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = startTimer(resolve, maxMs);
  });
  await Promise.race([promise, timeout]);
  stopTimer(timer);
}
