import { vi } from 'vitest';

/** Retries a check until it no longer throws. Throws its last error after 25 s, which means that something hangs. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 25_000, interval: 25 });
}
