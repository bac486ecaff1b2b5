// Not the global functions, which tests replace with fake timers.
import { clearTimeout, setTimeout } from 'node:timers';

/** Resolves when `promise` settles, or after `maxMs`. Keeps the process alive while it waits. */
export async function settlesWithin(promise: Promise<unknown>, maxMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxMs);
  });
  await Promise.race([promise, timeout]);
  clearTimeout(timer);
}
