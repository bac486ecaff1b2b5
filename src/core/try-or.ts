/** The result of `work`, or `fallback` if it throws. */
export function tryOr<T, F = T>(fallback: F, work: () => T): T | F {
  try {
    return work();
  } catch {
    return fallback;
  }
}
