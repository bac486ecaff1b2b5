import { describe, expect, it } from 'vitest';
import type { OutageKind } from '../../bench/fleet/simulated-service.ts';
import { type FleetOptions, peakPerSecond, simulateFleet } from '../../bench/fleet/simulation.ts';
import { lawCases } from '../helpers/laws.ts';

/** 100 processes make about 47 requests per second if nothing limits them. */
const FLEET = { processes: 100, warmUpMs: 10_000, afterMs: 60_000 };
const OUTAGE_MS = 60_000;
/** The busiest second differs by a quarter between seeds. */
const SEEDS = [1, 2];

const sumOf = <Item>(items: readonly Item[], value: (item: Item) => number) =>
  items.reduce((sum, item) => sum + value(item), 0);

async function expectConserved(options: FleetOptions): Promise<{ dropped: number }> {
  const { processes, countsAtRecovery } = await simulateFleet(options);
  const counts = processes.map(({ stats }) => stats);
  for (const { accepted, delivered, dropped, waiting } of [...countsAtRecovery, ...counts]) {
    expect(delivered + dropped + waiting).toBe(accepted);
  }
  expect(sumOf(counts, ({ waiting }) => waiting)).toBe(0);
  expect(sumOf(processes, ({ received }) => received)).toBe(sumOf(counts, ({ delivered }) => delivered));
  expect(sumOf(countsAtRecovery, ({ waiting }) => waiting)).toBeGreaterThan(0);
  return { dropped: sumOf(counts, ({ dropped }) => dropped) };
}

const OUTAGES: readonly (readonly [string, OutageKind])[] = [
  ['refused connections', { kind: 'refused' }],
  ['503', { kind: '503' }],
  ['503 with the same Retry-After in seconds', { kind: '503', retryAfterMs: 20_000 }],
  ['503 with the same Retry-After date', { kind: '503 until recovery' }],
];

describe('Fleet of 100 processes', () => {
  it.each(lawCases(OUTAGES, 1))(
    'sends little more than twice the rate limit in its busiest second after an outage with %s',
    async (_, answer) => {
      const limitPerSecond = 20;
      const outage = { durationMs: OUTAGE_MS, answer };
      let sum = 0;
      for (const seed of SEEDS) {
        const fleet = await simulateFleet({ ...FLEET, limitPerSecond, outage, seed });
        sum += peakPerSecond(fleet.service.requests, fleet.recoveredAt, fleet.stoppedAt);
      }
      expect(sum / SEEDS.length).toBeLessThan(2.2 * limitPerSecond);
    },
  );

  it('loses no record in an outage if the queues have room', async () => {
    const outage = { durationMs: OUTAGE_MS, answer: { kind: 'refused' } } as const;
    expect(await expectConserved({ ...FLEET, limitPerSecond: 60, outage })).toEqual({ dropped: 0 });
  });

  it('counts every record dropped from full queues in an outage', async () => {
    const outage = { durationMs: OUTAGE_MS, answer: { kind: 'refused' } } as const;
    const ingester = { maxQueueBytes: 200_000 };
    const { dropped } = await expectConserved({ ...FLEET, limitPerSecond: 60, outage, ingester });
    expect(dropped).toBeGreaterThan(0);
  });

  it('delivers every record if the service accepts a fifth of the requests', async () => {
    const { processes } = await simulateFleet({ ...FLEET, afterMs: 60_000, limitPerSecond: 10 });
    expect(sumOf(processes, ({ stats }) => stats.accepted - stats.delivered)).toBe(0);
  });
});
