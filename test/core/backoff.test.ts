import fc from 'fast-check';
import { expect, it } from 'vitest';
import { backoffDelay } from '../../src/core/backoff.ts';
import { cases } from '../helpers/laws.ts';

const BOUNDS = { firstBoundMs: 1_000, maxDelayMs: 30_000 };

it('backoffDelay() doubles the maximum delay with each attempt, up to maxDelayMs', () => {
  const almostOne = () => 0.999_999_9;
  const bounds = [0, 1, 2, 3, 4, 5, 6].map(
    (attempt) => backoffDelay(attempt, { ...BOUNDS, random: almostOne }) + 1,
  );
  expect(bounds).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

it('backoffDelay() returns whole milliseconds below maxDelayMs after any number of attempts', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, chance) => {
        const delayMs = backoffDelay(attempt, { ...BOUNDS, random: () => chance });
        return Number.isInteger(delayMs) && delayMs >= 0 && delayMs < BOUNDS.maxDelayMs;
      },
    ),
    cases(),
  );
});
