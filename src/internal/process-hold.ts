/** Far beyond any wait, and the longest that a timer takes. */
const LONG_MS = 2 ** 31 - 1;

/**
 * Keeps the process alive until `promise` settles.
 *
 * Background timers never hold the process; somebody who awaits something must not see the process end meanwhile.
 */
export async function holdProcess<T>(promise: Promise<T>): Promise<T> {
  const hold = setInterval(() => {}, LONG_MS);
  try {
    return await promise;
  } finally {
    clearInterval(hold);
  }
}
