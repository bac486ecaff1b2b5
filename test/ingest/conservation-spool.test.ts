import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type IngesterOptions, resolveIngesterOptions } from '../../src/ingest/options.ts';
import { IngestPipeline } from '../../src/ingest/pipeline.ts';
import { eventText } from '../../src/ingest/record/ingest-event.ts';
import { createRecord } from '../../src/ingest/record/record.ts';
import type { IngesterStats } from '../../src/ingest/report/ingester-stats.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { faultScript, isQuiet, mayBlameRecords, play } from '../helpers/fault-script.ts';
import { IngestSink, type SinkEvent } from '../helpers/ingest-sink.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';

type Step = { add: string[] } | { pauseMs: number } | 'flush' | 'restart' | 'overlap';
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ add: fc.array(fc.string({ unit: anyCharacter }), { maxLength: 30 }) }),
  },
  fc.record({ pauseMs: fc.integer({ min: 0, max: 8 }) }),
  fc.constant('flush' as const),
  { weight: 2, arbitrary: fc.constant('restart' as const) },
  fc.constant('overlap' as const),
);

const settings = fc.record({
  maxBatchRecords: fc.integer({ min: 1, max: 20 }),
  flushIntervalMs: fc.constantFrom(0, 1, 5),
  closeTimeoutMs: fc.constantFrom(1, 20, 200),
  segmentBytes: fc.constantFrom(200, 2_000, 100_000),
});

/** Far less than is written to the disk. */
const MAX_QUEUE_BYTES = 5_000;

function settledRecords({ delivered, dropped }: IngesterStats): number {
  return delivered + dropped.overflow + dropped.rejected + dropped.closed + dropped.damaged;
}

function pendingRecords({ queuedRecords, spooledRecords, inFlightRecords }: IngesterStats): number {
  return queuedRecords + spooledRecords + inFlightRecords;
}

/** Consecutive ingesters with the same spool. */
function add(pipeline: IngestPipeline, event: { attributes: object }): boolean {
  return pipeline.add(createRecord(eventText(event, Date.now()), pipeline.tags.baseText));
}

class Lives {
  readonly all: { readonly ingester: IngestPipeline; readonly warnings: Warning[] }[] = [];
  readonly #open: (onWarning: (warning: Warning) => void) => IngestPipeline;

  constructor(open: (onWarning: (warning: Warning) => void) => IngestPipeline) {
    this.#open = open;
    this.begin();
  }

  get current(): IngestPipeline {
    return this.all.at(-1)!.ingester;
  }

  begin(): void {
    const warnings: Warning[] = [];
    const ingester = this.#open((warning) => {
      warnings.push(warning);
      this.look();
    });
    this.all.push({ ingester, warnings });
  }

  /** The laws that hold at any time. */
  look(): void {
    for (const { ingester, warnings } of this.all) {
      const { stats } = ingester;
      expect(stats.accepted).toBe(settledRecords(stats) + pendingRecords(stats));
      expect(stats.dropped).toEqual({ overflow: 0, rejected: 0, closed: 0, damaged: 0, unredactable: 0 });
      expect(stats.queuedBytes).toBeLessThanOrEqual(MAX_QUEUE_BYTES);
      expect(isQuiet(warnings)).toBe(true);
    }
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

it('an ingester with a spool delivers all accepted records, for any faults and restarts', async () => {
  const sink = await IngestSink.open();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(
      faultScript,
      fc.array(step, { maxLength: 12 }),
      settings,
      async (faults, steps, { segmentBytes, ...options }) => {
        const run = runs++;
        const directory = await mkdtemp(join(tmpdir(), 'logclient-laws-'));
        const played = play(sink, faults);
        let timeouts = 0;
        const open = (onWarning: (warning: Warning) => void, limits: Partial<IngesterOptions> = {}) =>
          new IngestPipeline(
            resolveIngesterOptions(
              {
                baseUrl: sink.url,
                ingestToken: 'ingest-token',
                minRetryDelayMs: 1,
                maxRetryDelayMs: 3,
                requestTimeoutMs: 60,
                maxQueueBytes: MAX_QUEUE_BYTES,
                spool: { directory, segmentBytes, fsync: 'never' },
                onWarning,
                ...options,
                ...limits,
              },
              'test',
            ),
            {
              onFailure: (failure) => {
                if (failure.kind === 'retryable' && failure.dependsOn === 'size') timeouts++;
              },
            },
          );
        const lives = new Lives(open);
        const texts: string[] = [];
        for (const action of steps) {
          const { current } = lives;
          if (action === 'flush') await current.flush();
          else if (action === 'restart') {
            await current.close();
            lives.begin();
          } else if (action === 'overlap') {
            lives.begin();
            await current.close();
          } else if ('pauseMs' in action) await new Promise((resolve) => setTimeout(resolve, action.pauseMs));
          else {
            for (const text of action.add) {
              const { all } = lives;
              expect(add(current, { attributes: { n: texts.length, run, life: all.length, text } })).toBe(
                true,
              );
              texts.push(text);
            }
          }
          lives.look();
        }
        await lives.current.close();
        lives.look();

        // After the faults, a new process delivers the remaining and the new records.
        sink.answer = () => ({});
        const last: Warning[] = [];
        const heir = open((warning) => last.push(warning), {
          closeTimeoutMs: 9_000,
          requestTimeoutMs: 9_000,
        });
        add(heir, { attributes: { n: texts.length, run, life: 0, text: 'fresh' } });
        texts.push('fresh');
        await heir.close();
        expect(last).toEqual([]);
        expect(heir.stats).toMatchObject({ queuedRecords: 0, spooledRecords: 0, inFlightRecords: 0 });
        const all = [...lives.all.map(({ ingester }) => ingester.stats), heir.stats];
        // A batch that was partly delivered before a restart is sent again completely.
        const settledAgain = sumOf(all.map(settledRecords)) - texts.length;
        expect(settledAgain).toBeGreaterThanOrEqual(0);
        expect(settledAgain).toBeLessThanOrEqual(options.maxBatchRecords * lives.all.length);

        const arrived = sink.events.filter(({ attributes }) => attributes.run === run);
        const first = new Map<number, SinkEvent>();
        for (const event of arrived) {
          const n = Number(event.attributes.n);
          if (!first.has(n)) first.set(n, event);
        }
        expect(first.size).toBe(texts.length);
        for (const [n, { attributes }] of first) expect(attributes.text).toBe(texts[n]!);
        const isBlamed = faults.some(mayBlameRecords);
        for (const life of lives.all.keys()) {
          const numbers = [...first].filter(([, { attributes }]) => attributes.life === life + 1);
          // Only after failures that may be the fault of a record, others may be sent first.
          if (!isBlamed) expect(numbers).toEqual([...numbers].sort(([a], [b]) => a - b));
        }
        const copies = arrived.length - first.size;
        // A request that timed out may have been accepted.
        const interruptions = lives.all.length + played.lostAcks + timeouts;
        expect(copies).toBeLessThanOrEqual(options.maxBatchRecords * interruptions);
        await rm(directory, { recursive: true });
      },
    ),
    cases(20),
  );
  await sink.close();
}, 600_000);
