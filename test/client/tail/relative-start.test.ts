import { describe, expect, it } from 'vitest';
import { relativeStartMs } from '../../../src/client/tail/relative-start.ts';
import { toRelativeStart } from '../../../src/client/tail/relative-time.ts';
import { LogOptionsException } from '../../../src/core/errors.ts';

describe('relativeStartMs()', () => {
  it.each([
    ['10s', 10_000],
    ['2 hours', 7_200_000],
    [' 1 min ', 60_000],
    ['500millis', 500],
    ['1mon', 30 * 86_400_000],
  ])('parses %j', (text, lengthMs) => {
    expect(relativeStartMs('op', text)).toBe(lengthMs);
  });

  it.each([5, 'now', '1.5h', '-1h', '2 mins', '1  h', 'now@d', '', undefined])('rejects %j', (text) => {
    expect(() => relativeStartMs('op', text)).toThrow(LogOptionsException);
  });

  it('is reversed by toRelativeStart(), which rounds up to whole seconds', () => {
    expect([0, 1, 1_000, 1_001].map(toRelativeStart)).toEqual(['1s', '1s', '1s', '2s']);
  });
});
