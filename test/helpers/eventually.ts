import { vi } from 'vitest';

/** Retries a check until it no longer throws. After 25 s, which only a hang takes, throws its last error. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, interval: 10 });
}
