/**
 * Keeps the process alive until `promise` settles, but not for longer than `maxMs`.
 *
 * Background timers and connections never hold the process; somebody who awaits something must not see the process
 * end meanwhile.
 */
export async function keepAlive<T>(promise: Promise<T>, maxMs: number): Promise<T> {
  const hold = setTimeout(() => {}, maxMs);
  try {
    return await promise;
  } finally {
    clearTimeout(hold);
  }
}
