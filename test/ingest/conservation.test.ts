import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterStats } from '../../src/ingest/ingester-stats.ts';
import { IngestSink, type SinkAnswer } from '../helpers/ingest-sink.ts';

function pendingRecords({ accepted, delivered, dropped }: IngesterStats): number {
  return accepted - delivered - dropped.overflow - dropped.rejected - dropped.closed;
}

const fault: fc.Arbitrary<SinkAnswer> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<SinkAnswer>({}) },
  fc.constantFrom<SinkAnswer>(
    { status: 503 },
    { status: 503, headers: { 'retry-after': '0' } },
    { status: 429 },
    { status: 400 },
    { status: 413 },
    { status: 401 },
    { reset: true },
    { hang: true },
    { delayMs: 5 },
  ),
);

type Step = { add: number } | { pauseMs: number } | 'flush';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ add: fc.integer({ min: 1, max: 30 }) }) },
  fc.record({ pauseMs: fc.integer({ min: 0, max: 8 }) }),
  fc.constant('flush' as const),
);

const settings = fc.record({
  maxBatchRecords: fc.integer({ min: 1, max: 20 }),
  maxQueueBytes: fc.constantFrom(200, 1_000, 10_000_000),
  overflow: fc.constantFrom('dropOldest' as const, 'dropNewest' as const, 'block' as const),
  flushIntervalMs: fc.constantFrom(0, 1, 5),
});

it('counts every record once, keeps the order, and delivers what it counts, whatever the service does', async () => {
  const sink = await IngestSink.open();
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.array(step, { maxLength: 12 }),
      settings,
      async (faults, steps, options) => {
        const before = { requests: sink.requests.length, events: sink.events.length };
        sink.answer = (_, index) => faults[index - before.requests] ?? {};
        const dropped: number[] = [];
        const ingester = new Ingester({
          baseUrl: sink.url,
          ingestToken: 'token',
          minRetryDelayMs: 1,
          maxRetryDelayMs: 3,
          requestTimeoutMs: 30,
          closeTimeoutMs: 2_000,
          onDrop: ({ events }) => dropped.push(...events.map((event) => JSON.parse(event).attributes.n)),
          onWarning: () => {},
          ...options,
        });
        let offered = 0;
        const taken: number[] = [];
        const check = (): void => {
          const { stats } = ingester;
          expect(pendingRecords(stats)).toBe(stats.queuedRecords + stats.inFlightRecords);
          expect(stats.queuedBytes).toBeLessThanOrEqual(options.maxQueueBytes);
        };
        for (const action of steps) {
          if (action === 'flush') await ingester.flush();
          else if ('pauseMs' in action) await new Promise((resolve) => setTimeout(resolve, action.pauseMs));
          else {
            for (let i = 0; i < action.add; i++) {
              const { accepted } = ingester.stats;
              ingester.add({ attributes: { n: offered } });
              if (ingester.stats.accepted > accepted) taken.push(offered);
              offered++;
            }
          }
          check();
        }
        await ingester.close();
        check();
        const { stats } = ingester;
        expect(stats).toMatchObject({ accepted: taken.length, queuedRecords: 0, inFlightRecords: 0 });
        const delivered = sink.events.slice(before.events).map((event) => Number(event.attributes.n));
        const once = [...new Set(delivered)];
        // A request that the service accepted after we gave up waiting comes again: at least once, never out of order.
        expect(once).toEqual([...once].sort((a, b) => a - b));
        expect(stats.delivered).toBe(taken.length - dropped.length);
        const lost = taken.filter((n) => !once.includes(n));
        expect(lost.every((n) => dropped.includes(n))).toBe(true);
        if (options.overflow === 'block') expect(stats.dropped.overflow).toBe(0);
      },
    ),
    { numRuns: 60 },
  );
  await sink.close();
}, 60_000);
