import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/web/retry-after.ts';

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
