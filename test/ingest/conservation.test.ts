import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import { mayBlameRecords } from '../helpers/fault-script.ts';
import { IngestSink, type SinkAnswer } from '../helpers/ingest-sink.ts';
import { cases } from '../helpers/laws.ts';

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
  closeTimeoutMs: fc.constantFrom(1, 20, 2_000),
});

it('accepted records are delivered in order or counted as dropped, for any service faults', async () => {
  const sink = await IngestSink.open();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fault, { maxLength: 12 }),
      fc.array(step, { maxLength: 12 }),
      settings,
      async (faults, steps, options) => {
        // Records that an earlier run dropped may still arrive.
        const run = runs++;
        const requestsBefore = sink.requests.length;
        let failures = 0;
        sink.answer = (_, index) => {
          const answer = faults[index - requestsBefore] ?? {};
          if (answer.status !== undefined || answer.reset || answer.hang) failures++;
          return answer;
        };
        const dropped: number[] = [];
        let isBalanced = true;
        const balance = (): void => {
          const { stats } = ingester;
          isBalanced &&= pendingRecords(stats) === stats.queuedRecords + stats.inFlightRecords;
        };
        const ingester = new Ingester({
          baseUrl: sink.url,
          ingestToken: 'token',
          minRetryDelayMs: 1,
          maxRetryDelayMs: 3,
          requestTimeoutMs: 30,
          onDrop: ({ events }) => {
            dropped.push(...events.map((event) => JSON.parse(event).attributes.n));
            balance();
          },
          onWarning: balance,
          onRecovered: balance,
          ...options,
        });
        let offered = 0;
        const taken: number[] = [];
        const check = (): void => {
          balance();
          expect(isBalanced).toBe(true);
          expect(ingester.stats.queuedBytes).toBeLessThanOrEqual(options.maxQueueBytes);
        };
        for (const action of steps) {
          if (action === 'flush') await ingester.flush();
          else if ('pauseMs' in action) await new Promise((resolve) => setTimeout(resolve, action.pauseMs));
          else {
            for (let i = 0; i < action.add; i++) {
              const { accepted } = ingester.stats;
              ingester.add({ attributes: { n: offered, run } });
              if (ingester.stats.accepted > accepted) taken.push(offered);
              offered++;
            }
          }
          check();
        }
        const closed = ingester.close();
        check();
        await closed;
        check();
        const { stats } = ingester;
        expect(stats).toMatchObject({ accepted: taken.length, queuedRecords: 0, inFlightRecords: 0 });
        const delivered = sink.events
          .filter(({ attributes }) => attributes.run === run)
          .map(({ attributes }) => Number(attributes.n));
        const once = [...new Set(delivered)];
        // A request that was accepted after its timeout is sent again: at least once, never out of order.
        // Only after failures that may be the fault of a record, others may be sent first. On a slow machine, a request that
        // the service accepts can also exceed its time limit.
        const isBlamed = faults.some(mayBlameRecords) || stats.retried > failures;
        if (!isBlamed) expect(once).toEqual([...once].sort((a, b) => a - b));
        expect(stats.delivered).toBe(taken.length - dropped.length);
        const lost = taken.filter((n) => !once.includes(n));
        expect(lost.every((n) => dropped.includes(n))).toBe(true);
        if (options.overflow === 'block') expect(stats.dropped.overflow).toBe(0);
      },
    ),
    cases(20),
  );
  await sink.close();
});
