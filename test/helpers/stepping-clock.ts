import { type MockInstance, onTestFinished, vi } from 'vitest';

/**
 * Advances `performance.now()` by `stepMs` with each reading until the end of the test, so a time slice ends after a
 * fixed number of readings on any machine.
 *
 * @returns the spy, which counts the readings.
 */
export function stepClock(stepMs: number): MockInstance<() => number> {
  let now = performance.now();
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => (now += stepMs));
  // This process uses all of the time.
  const cpu = vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: now * 1000, system: 0 }));
  onTestFinished(() => {
    spy.mockRestore();
    cpu.mockRestore();
  });
  return spy;
}
