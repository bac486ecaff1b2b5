import { expect, it } from 'vitest';
import { Refusals } from '../../../src/ingest/refusals.ts';
import type { SendOutcome } from '../../../src/ingest/send/sender.ts';

const REFUSED = { kind: 'refused', reason: 'status 403' } as SendOutcome;
const DELIVERED: SendOutcome = { kind: 'delivered' };

it('other records are needed from the third refusal in a row, and were tried at the fourth', () => {
  const refusals = new Refusals();
  const seen = [1, 2, 3, 4].map(() => {
    refusals.judge(REFUSED);
    return [refusals.needOthers, refusals.includeOthers];
  });
  expect(seen).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
  refusals.judge(DELIVERED);
  expect([refusals.needOthers, refusals.includeOthers]).toEqual([false, false]);
});

it('three refusals are proof', () => {
  const refusals = new Refusals();
  expect([1, 2, 3, 4].map((times) => refusals.areProof(times))).toEqual([false, false, true, true]);
});
