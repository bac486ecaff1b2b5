import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { batchOf } from '../../../src/ingest/batch/batch-builder.ts';
import { Ingester } from '../../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../../src/ingest/options.ts';
import { createRecord } from '../../../src/ingest/record/record.ts';
import { jsonString } from '../../../src/ingest/record/safe-json.ts';
import type { DroppedRecords } from '../../../src/ingest/report/delivery-event.ts';
import { startDelivery } from '../../helpers/delivery.ts';
import { turnsOfTheLoop, useHandClock } from '../../helpers/hand-clock.ts';
import type { IngestSink, SinkRequest } from '../../helpers/ingest-sink.ts';
import { anyCharacter, cases } from '../../helpers/laws.ts';

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function numbersOf(sink: IngestSink): number[] {
  return sink.events.map(({ attributes }) => Number(attributes.n));
}

function holds(request: SinkRequest, poison: ReadonlySet<number>): boolean {
  return request.groups.some(({ events }) =>
    events.some(({ attributes }) => poison.has(Number(attributes.n))),
  );
}

async function open(options: IngesterOptions = {}) {
  const delivery = await startDelivery();
  const drops: DroppedRecords[] = [];
  const ingester = new Ingester({
    ...delivery.options,
    flushIntervalMs: 20,
    onDrop: (drop) => drops.push(drop),
    ...options,
  });
  onTestFinished(() => ingester.close());
  return { ...delivery, ingester, drops };
}

it('the ingester delivers in order to a service that accepts 200 KiB, and learns that limit', async () => {
  const { sink, ingester, warnings } = await open();
  sink.answer = ({ bodyBytes }) => (bodyBytes > 200 * 1024 ? { status: 413 } : {});
  const text = 'x'.repeat(560);
  for (let n = 1; n <= 4_000; n++) ingester.add({ attributes: { n, text } });
  await ingester.flush();
  expect(numbersOf(sink)).toEqual(range(1, 4_000));
  expect(ingester.stats).toMatchObject({ delivered: 4_000, dropped: { rejected: 0 } });
  const refusedBefore = sink.requests.filter(({ bodyBytes }) => bodyBytes > 200 * 1024).length;
  expect(refusedBefore).toBeGreaterThan(0);
  for (let n = 4_001; n <= 6_000; n++) ingester.add({ attributes: { n, text } });
  await ingester.flush();
  expect(numbersOf(sink)).toEqual(range(1, 6_000));
  expect(sink.requests.filter(({ bodyBytes }) => bodyBytes > 200 * 1024)).toHaveLength(refusedBefore);
  expect(warnings).toEqual([]);
});

it.each([400, 422])(
  'only the record that the service rejects with %i is dropped and reported',
  async (status) => {
    const { sink, ingester, drops, warnings } = await open();
    sink.answer = (request) => (holds(request, new Set([500])) ? { status } : {});
    for (let n = 1; n <= 1_000; n++) ingester.add({ attributes: { n } });
    await ingester.flush();
    expect(numbersOf(sink)).toEqual(range(1, 1_000).filter((n) => n !== 500));
    expect(ingester.stats).toMatchObject({ delivered: 999, dropped: { rejected: 1 }, retried: 0 });
    expect(drops).toHaveLength(1);
    expect(drops[0]).toMatchObject({ reason: 'rejected', records: 1 });
    expect(JSON.parse(drops[0]!.events[0]!).attributes).toEqual({ n: 500 });
    expect(warnings).toEqual([
      { kind: 'rejected', message: expect.stringMatching(/^1 record was .*rejected by the service/) },
    ]);
  },
);

it('a record that is too large for the service is dropped, and its neighbors are delivered', async () => {
  const { sink, ingester } = await open();
  sink.answer = ({ bodyBytes }) => (bodyBytes > 10_000 ? { status: 413 } : {});
  ingester.add({ attributes: { n: 1 } });
  ingester.add({ attributes: { n: 2, text: 'x'.repeat(20_000) } });
  ingester.add({ attributes: { n: 3 } });
  await expect.poll(() => ingester.stats.delivered).toBe(2);
  // Accepted requests are the evidence.
  let last = 3;
  while (ingester.stats.dropped.rejected === 0) {
    ingester.add({ attributes: { n: ++last } });
    await expect.poll(() => ingester.stats.delivered).toBe(last - 1);
  }
  expect(numbersOf(sink)).toEqual([1, ...Array.from({ length: last - 2 }, (_, index) => index + 3)]);
  expect(ingester.stats).toMatchObject({ dropped: { rejected: 1 } });
});

it('the ingester slows down while the service rejects everything, and drops at most 32 records', async () => {
  const clock = useHandClock();
  const { sink, ingester } = await open({ minRetryDelayMs: 200, maxRetryDelayMs: 200 });
  ingester.add({ attributes: { n: 0 } });
  await ingester.flush();
  sink.requests.length = 0;
  sink.answer = () => ({ status: 400 });
  for (let n = 1; n <= 2_000; n++) ingester.add({ attributes: { n } });
  const flushed = ingester.flush();
  // The next request waits for the clock.
  await expect.poll(() => sink.requests.length).toBe(32);
  await turnsOfTheLoop();
  expect(sink.requests).toHaveLength(32);
  sink.answer = () => ({});
  clock.move(200);
  await flushed;
  const { delivered, dropped } = ingester.stats;
  expect(delivered + dropped.rejected).toBe(2_001);
  expect(dropped.rejected).toBeLessThanOrEqual(32);
});

it('splitting drops exactly the rejected records and keeps the order of the rest', async () => {
  const { sink, options } = await open();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 60 }),
      fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 150, max: 4_000 }),
      async (count, poisonNumbers, maxBatchRecords, maxBody) => {
        const poison = new Set(poisonNumbers);
        const before = sink.events.length;
        sink.answer = (request) => {
          if (request.bodyBytes > maxBody) return { status: 413 };
          return holds(request, poison) ? { status: 400 } : {};
        };
        const ingester = new Ingester({
          ...options,
          minRetryDelayMs: 1,
          maxRetryDelayMs: 1,
          maxBatchRecords,
        });
        run++;
        for (let n = 1; n <= count; n++)
          ingester.add({ attributes: { n, run }, tags: { odd: String(n % 2) } });
        await ingester.flush();
        const delivered = sink.events.slice(before).map(({ attributes }) => Number(attributes.n));
        const good = range(1, count).filter((n) => !poison.has(n));
        // Records with equal tags stay in order.
        for (const rest of [0, 1]) {
          expect(delivered.filter((n) => n % 2 === rest)).toEqual(good.filter((n) => n % 2 === rest));
        }
        expect(ingester.stats).toMatchObject({
          accepted: count,
          delivered: good.length,
          dropped: { rejected: count - good.length },
        });
        await ingester.close();
      },
    ),
    cases(5),
  );
});

it('a batch has the same body after it is encoded, byte for byte', async () => {
  const eventText = fc.tuple(fc.nat(), fc.string({ unit: anyCharacter, maxLength: 40 }), fc.boolean()).map(
    ([timestamp, text, isBroken]) =>
      // Includes invalid JSON, as long as it is one line.
      `{"timestamp":${timestamp},"attributes":{"text":${jsonString(text)}${isBroken ? '' : '}'}}`,
  );
  const tagsText = fc
    .dictionary(fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }))
    .map((tags) => JSON.stringify(tags));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(eventText, tagsText), { minLength: 1, maxLength: 50 }),
      fc.constantFrom('gzip' as const, 'none' as const),
      async (texts, compression) => {
        const given = texts.map(([event, tags]) => createRecord(event, tags));
        const batch = batchOf(given);
        const body = batch.body.toString();
        await batch.encode(compression);
        expect(batch.body.toString()).toBe(body);
        expect(batch.length).toBe(texts.length);
        expect(batch.records()).toEqual(given);
      },
    ),
    cases(),
  );
});
