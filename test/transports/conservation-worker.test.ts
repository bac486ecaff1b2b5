import { once } from 'node:events';
import fc from 'fast-check';
import pino from 'pino';
import { expect, it } from 'vitest';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { faultScript, isQuiet, play } from '../helpers/fault-script.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { cases } from '../helpers/laws.ts';

/** The built package, whose worker files can be loaded. */
const { createPinoTransport }: typeof import('../../transports/pino/index.ts') = await import(
  'logclient/pino' as string
);

type Step = { log: number } | { pauseMs: number } | 'flush';
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ log: fc.integer({ min: 1, max: 60 }) }) },
  fc.record({ pauseMs: fc.integer({ min: 0, max: 20 }) }),
  fc.constant('flush' as const),
);

const settings = fc.record({
  maxBatchRecords: fc.integer({ min: 1, max: 30 }),
  maxQueueBytes: fc.constantFrom(1_000, 10_000_000),
  overflow: fc.constantFrom('dropOldest' as const, 'dropNewest' as const),
  flushIntervalMs: fc.constantFrom(0, 5),
  closeTimeoutMs: fc.constantFrom(20, 9_000),
});

function droppedRecords({ dropped }: IngesterStats): number {
  return dropped.overflow + dropped.rejected + dropped.closed + dropped.damaged;
}

it('a worker counts every record once, keeps the order, and delivers what it counts as delivered', async () => {
  const sink = await IngestSink.open();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      faultScript,
      fc.array(step, { maxLength: 10 }),
      settings,
      async (faults, steps, options) => {
        const run = runs++;
        play(sink, faults);
        const warnings: Warning[] = [];
        let hooked = 0;
        const transport = createPinoTransport({
          baseUrl: sink.url,
          ingestToken: 'ingest-token',
          minRetryDelayMs: 1,
          maxRetryDelayMs: 3,
          requestTimeoutMs: 100,
          onDrop: ({ records }) => {
            hooked += records;
          },
          onWarning: (warning) => warnings.push(warning),
          ...options,
        });
        let looks = 0;
        const look = (stats: IngesterStats): void => {
          looks++;
          const { accepted, delivered, queuedRecords, spooledRecords, inFlightRecords } = stats;
          const pending = queuedRecords + spooledRecords + inFlightRecords;
          expect(accepted).toBe(delivered + droppedRecords(stats) + pending);
          expect(stats.queuedBytes).toBeLessThanOrEqual(options.maxQueueBytes);
        };
        transport.on('stats', look);
        const logger = pino({ base: { run } }, transport);
        let logged = 0;
        for (const action of steps) {
          if (action === 'flush') {
            await new Promise<void>((resolve) => logger.flush(() => resolve()));
            const { stats } = transport;
            expect(stats.accepted).toBe(logged);
            // In an outage longer than its timeout, records are left.
            if (options.closeTimeoutMs > 1_000) expect(stats.queuedRecords + stats.inFlightRecords).toBe(0);
          } else if ('pauseMs' in action) await new Promise((resolve) => setTimeout(resolve, action.pauseMs));
          else for (let i = 0; i < action.log; i++) logger.info({ n: logged++ }, 'hello');
          look(transport.stats);
        }
        sink.answer = () => ({});
        const closed = once(transport, 'close');
        transport.end();
        await closed;
        const { stats } = transport;
        look(stats);
        expect(looks).toBeGreaterThan(0);
        expect(stats).toMatchObject({ accepted: logged, queuedRecords: 0, inFlightRecords: 0 });
        expect(hooked).toBe(droppedRecords(stats));
        expect(isQuiet(warnings)).toBe(true);

        const numbers = sink.events
          .filter(({ attributes }) => attributes.run === run)
          .map(({ attributes }) => Number(attributes.n));
        const arrived = [...new Set(numbers)];
        expect(arrived).toEqual([...arrived].sort((a, b) => a - b));
        // Records that were dropped may have arrived, if their acknowledgment was lost.
        expect(arrived.length).toBeGreaterThanOrEqual(stats.delivered);
        // No test ends while delivery waits for a new token.
        const wantsToken = faults.some((fault) => fault !== 'lostAck' && fault.status === 401);
        if (options.closeTimeoutMs > 1_000 && !wantsToken) expect(stats.dropped.closed).toBe(0);
      },
    ),
    cases(4),
  );
  await sink.close();
}, 600_000);
