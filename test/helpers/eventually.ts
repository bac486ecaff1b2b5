import { vi } from 'vitest';

/** Waits until a check no longer throws; for 25 seconds, and then throws what it throws. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, interval: 10 });
}
