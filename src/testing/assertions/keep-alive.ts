const AN_HOUR_MS = 3_600_000;

// Taken before a test can put false ones in their place.
const startInterval = globalThis.setInterval;
const stopInterval = globalThis.clearInterval;

/** Keeps the process alive until the promise settles: the server of a test does not. */
export async function keepAlive<Result>(promise: Promise<Result>): Promise<Result> {
  const interval = startInterval(() => {}, AN_HOUR_MS);
  try {
    return await promise;
  } finally {
    stopInterval(interval);
  }
}
