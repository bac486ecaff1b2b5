import { vi } from 'vitest';

/** Waits until a check no longer throws; for a minute, which busy machines may need, and then throws what it throws. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}
