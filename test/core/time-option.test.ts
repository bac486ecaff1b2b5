import { describe, expect, it } from 'vitest';
import { toRelativeStart } from '../../src/client/tail/relative-time.ts';
import { LogOptionsException } from '../../src/core/errors.ts';
import { requireLength, requireTimePoint } from '../../src/core/time-option.ts';

describe('requireLength()', () => {
  it.each([
    ['10s', 10_000],
    ['2 hours', 7_200_000],
    [' 1 min ', 60_000],
    ['500millis', 500],
    ['1mon', 30 * 86_400_000],
  ])('parses %j', (text, lengthMs) => {
    expect(requireLength('op', 'start', text)).toBe(lengthMs);
  });

  it.each([5, 'now', '1.5h', '-1h', '2 mins', '1  h', 'now@d', '', undefined])('rejects %j', (text) => {
    expect(() => requireLength('op', 'start', text)).toThrow(LogOptionsException);
  });

  it('is reversed by toRelativeStart(), which rounds up to whole seconds', () => {
    expect([0, 1, 1_000, 1_001].map(toRelativeStart)).toEqual(['1s', '1s', '1s', '2s']);
  });
});

describe('requireTimePoint()', () => {
  it.each([
    'now',
    '24hours',
    ' 5 m ',
    '1d@d',
    'now@h-1d',
    '1d@d + 12h',
    'calendar: 2months',
    '1770000000000',
  ])('passes on %j', (text) => {
    expect(requireTimePoint('op', 'start', text)).toBe(text);
  });

  it.each([
    'abc',
    'yesterday',
    '5 fortnights',
    '1d@',
    '1d@x',
    'now@d+1',
    '1d2h',
    'now-1h',
    `1${' '.repeat(300)}d`,
  ])('rejects %j with the forms of a time', (text) => {
    const check = () => requireTimePoint('op', 'start', text);
    expect(check).toThrow(LogOptionsException);
    expect(check).toThrow(
      'op: "start" must be whole epoch milliseconds, a Date, ISO 8601 with an offset such as "2026-11-20T10:00:00Z", or a relative time such as "2 hours"',
    );
  });
});
