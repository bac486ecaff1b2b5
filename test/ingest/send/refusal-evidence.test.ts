import { expect, it } from 'vitest';
import { Refusals } from '../../../src/ingest/send/refusals.ts';
import type { SendOutcome } from '../../../src/ingest/send/sender.ts';

const REFUSED = { kind: 'refused', reason: 'status 403' } as SendOutcome;
const DELIVERED: SendOutcome = { kind: 'delivered' };

it('other records are needed from the third refusal in a row, and were tried at the fourth', () => {
  const refusals = new Refusals();
  const seen = [1, 2, 3, 4].map(() => {
    refusals.judge(REFUSED);
    return [refusals.needOthers, refusals.areMany];
  });
  expect(seen).toEqual([
    [false, false],
    [false, false],
    [true, false],
    [true, true],
  ]);
  refusals.judge(DELIVERED);
  expect([refusals.needOthers, refusals.areMany]).toEqual([false, false]);
});

it('a record is at fault after three refusals, if others were accepted since the first', () => {
  const refusals = new Refusals();
  refusals.judge(REFUSED);
  const firstAt = refusals.responses;
  expect(refusals.prove(3, firstAt)).toBe(false);
  refusals.judge(DELIVERED);
  expect(refusals.prove(2, firstAt)).toBe(false);
  expect(refusals.prove(3, firstAt)).toBe(true);
  expect(refusals.prove(3, refusals.responses)).toBe(false);
});
