import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RetryBackoff } from '../../../src/ingest/send/retry-backoff.ts';
import type { RetryableOutcome } from '../../../src/ingest/send/sender.ts';
import { cases } from '../../helpers/laws.ts';

const BOUNDS = { minRetryDelayMs: 1_000, maxRetryDelayMs: 30_000 };
const RATE_LIMITED: RetryableOutcome = { kind: 'retryable', reason: '429', isRateLimited: true };
const UNAVAILABLE: RetryableOutcome = { kind: 'retryable', reason: '503' };

/** Delays are one millisecond below their bound. */
function backoffAtBound(): RetryBackoff {
  return new RetryBackoff({ ...BOUNDS, random: () => 1 - Number.EPSILON });
}

function boundsOf(backoff: RetryBackoff, outcomes: readonly RetryableOutcome[]): number[] {
  return outcomes.map((outcome, index) => backoff.failed(outcome, index + 1).ownMs + 1);
}

const step = fc.oneof(
  fc.constant('responded' as const),
  fc.record({ isRateLimited: fc.boolean(), retryAfterMs: fc.option(fc.nat(600_000), { nil: undefined }) }),
);

it('RetryBackoff waits Retry-After, at most 5 minutes, plus less than maxRetryDelayMs', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
      const backoff = new RetryBackoff(BOUNDS);
      let attempt = 0;
      for (const each of steps) {
        if (each === 'responded') {
          backoff.responded();
          attempt = 0;
          continue;
        }
        const { requestedMs, ownMs } = backoff.failed({ kind: 'retryable', reason: '', ...each }, ++attempt);
        expect(requestedMs).toBe(Math.min(each.retryAfterMs ?? 0, 300_000));
        expect(ownMs).toBeGreaterThanOrEqual(0);
        expect(ownMs).toBeLessThan(BOUNDS.maxRetryDelayMs);
      }
    }),
    cases(),
  );
});

it('RetryBackoff doubles the maximum delay with each attempt, up to maxRetryDelayMs', () => {
  const expected = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000];
  expect(boundsOf(backoffAtBound(), new Array(7).fill(RATE_LIMITED))).toEqual(expected);
  expect(boundsOf(backoffAtBound(), new Array(7).fill(UNAVAILABLE))).toEqual(expected);
});

it('RetryBackoff limits the extra delay to Retry-After, from minRetryDelayMs to maxRetryDelayMs', () => {
  const extraAfter = (retryAfterMs: number) =>
    backoffAtBound().failed({ ...UNAVAILABLE, retryAfterMs }, 1).ownMs + 1;
  expect([500, 1_000, 10_000, 30_000, 120_000].map(extraAfter)).toEqual([
    1_000, 1_000, 10_000, 30_000, 30_000,
  ]);
});

describe('RetryBackoff for a new batch', () => {
  it('continues with the delays of earlier batches after a 429', () => {
    const backoff = backoffAtBound();
    boundsOf(backoff, new Array(4).fill(RATE_LIMITED));
    backoff.responded();
    expect(boundsOf(backoff, [RATE_LIMITED])).toEqual([Math.floor(1_000 * 2 ** 3.75) + 1]);
  });

  it('starts with the shortest delay after other failures', () => {
    const backoff = backoffAtBound();
    boundsOf(backoff, new Array(4).fill(UNAVAILABLE));
    backoff.responded();
    expect(boundsOf(backoff, [UNAVAILABLE])).toEqual([1_000]);
  });

  it('starts with the shortest delay after four responses per failure', () => {
    const backoff = backoffAtBound();
    boundsOf(backoff, new Array(3).fill(RATE_LIMITED));
    for (let i = 0; i < 12; i++) backoff.responded();
    expect(boundsOf(backoff, [RATE_LIMITED])).toEqual([1_000]);
  });
});
