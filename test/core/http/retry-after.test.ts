import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parseRetryAfter, retryAfterOf } from '../../../src/core/http/retry-after.ts';

const NOW = Date.UTC(2026, 1, 3, 10, 0, 0);

describe('parseRetryAfter()', () => {
  it.each([
    ['3', 3_000],
    [' 0 ', 0],
    ['2026', 2_026_000],
    ['1.5', 1_500],
    ['Tue, 03 Feb 2026 10:00:07 GMT', 7_000],
    ['Tuesday, 03-Feb-26 10:00:07 GMT', 7_000],
    ['Tue Feb  3 10:00:07 2026', 7_000],
    ['Tue, 03 Feb 2026 09:00:00 GMT', 0],
  ])('parses %j', (value, expected) => {
    expect(parseRetryAfter(value, NOW)).toBe(expected);
  });

  it.each([undefined, '', 'soon', '-3', 'Foo 5', '3 seconds', 'Tue, 99 Feb 2026 10:00:07 GMT'])(
    'returns undefined for %j',
    (value) => {
      expect(parseRetryAfter(value, NOW)).toBeUndefined();
    },
  );
});

describe('retryAfterOf()', () => {
  const waitOf = (headers: Record<string, string>) => retryAfterOf({ header: (name) => headers[name] });

  it('reads the end of the pause in epoch seconds, and a small number as seconds', () => {
    vi.useFakeTimers({ now: NOW });
    onTestFinished(() => void vi.useRealTimers());
    const at = (seconds: number) => waitOf({ 'x-ratelimit-retryafter': String(NOW / 1_000 + seconds) });
    expect([at(7), at(0), at(-7)]).toEqual([7_000, 0, 0]);
    expect(waitOf({ 'x-ratelimit-retryafter': ' 3 ' })).toBe(3_000);
    expect(waitOf({ 'x-ratelimit-retryafter': '0' })).toBe(0);
  });

  it('takes the time from the response, because the clock of this computer may be wrong', () => {
    vi.useFakeTimers({ now: NOW - 3_600_000 });
    onTestFinished(() => void vi.useRealTimers());
    const date = 'Tue, 03 Feb 2026 10:00:00 GMT';
    expect(waitOf({ date, 'x-ratelimit-retryafter': String(NOW / 1_000 + 2) })).toBe(2_000);
    expect(waitOf({ date, 'retry-after': 'Tue, 03 Feb 2026 10:00:07 GMT' })).toBe(7_000);
  });

  it.each(['', ' ', 'soon', '-3'])('ignores %j', (value) => {
    expect(waitOf({ 'x-ratelimit-retryafter': value })).toBeUndefined();
  });

  it('prefers Retry-After', () => {
    expect(waitOf({ 'retry-after': '1', 'x-ratelimit-retryafter': '2' })).toBe(1_000);
  });
});
