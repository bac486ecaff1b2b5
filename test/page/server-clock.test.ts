import { afterEach, expect, it, vi } from 'vitest';
import { aheadSeconds, noteServerTime, serverNow } from '../../src/page/api/server-clock.ts';

const START = Date.UTC(2026, 0, 5, 12);

afterEach(() => vi.useRealTimers());

/** Notes a response that took `seconds`, and whose server is `ahead` and wrote the header after `written`. */
function note({ ahead = 0, seconds = 0, written = 0 }): number {
  const sentAt = Date.now();
  const date = new Date(sentAt + 1000 * (ahead + written)).toUTCString();
  vi.setSystemTime(sentAt + 1000 * seconds);
  noteServerTime(date, sentAt);
  return aheadSeconds.value;
}

it('takes no slow response for another clock, and a difference of clocks from the first quick response', () => {
  vi.useFakeTimers({ now: START });
  expect(note({ seconds: 30 })).toBe(0);
  expect(note({ seconds: 30, written: 30 })).toBe(0);
  expect(serverNow()).toBe(Date.now());
  expect(note({ ahead: 600 })).toBe(600);
  expect(note({ ahead: 600, seconds: 45, written: 20 })).toBe(600);
  expect(serverNow() - Date.now()).toBe(600_000);
  expect(note({ ahead: -600, seconds: 0.2 })).toBe(-600);
  expect(note({})).toBe(0);
  noteServerTime(null, Date.now());
  expect(aheadSeconds.value).toBe(0);
});
