import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClock } from '../../src/server/clock.ts';
import { FalconError } from '../../src/server/ngsiem/falcon-error.ts';
import { rateLimit } from '../../src/server/ngsiem/rate-limit.ts';
import { cases } from '../helpers/laws.ts';

const MINUTE = 60_000;

/** The error of a request above the limit; `undefined` if the request is within the limit. */
function countOne(rate: ReturnType<typeof rateLimit>): FalconError | undefined {
  try {
    rate.count();
    return undefined;
  } catch (error) {
    if (error instanceof FalconError) return error;
    throw error;
  }
}

describe('rateLimit', () => {
  it('accepts a request exactly if fewer than the limit were accepted in the last minute', () => {
    const pauses = fc.array(fc.integer({ min: 0, max: MINUTE }), { maxLength: 60 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), pauses, (limit, steps) => {
        const clock = createClock(0);
        const rate = rateLimit(limit, clock);
        const succeeded: number[] = [];
        for (const step of steps) {
          clock.advance(step);
          const recent = succeeded.filter((time) => time > clock.now() - MINUTE).length;
          const error = countOne(rate);
          expect(error === undefined).toBe(recent < limit);
          if (error === undefined) succeeded.push(clock.now());
          const left = limit - recent - (error === undefined ? 1 : 0);
          expect(rate.headers()['x-ratelimit-remaining']).toBe(String(left));
        }
      }),
      cases(),
    );
  });

  it('accepts a request again at the time in x-ratelimit-retryafter', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 * MINUTE }),
        fc.integer({ min: 1, max: 5 }),
        (start, limit) => {
          const clock = createClock(start);
          const rate = rateLimit(limit, clock);
          for (let request = 0; request < limit; request++) expect(countOne(rate)).toBeUndefined();
          clock.set(Number(countOne(rate)!.headers['x-ratelimit-retryafter']) * 1000);
          expect(countOne(rate)).toBeUndefined();
        },
      ),
      cases(),
    );
  });
});
