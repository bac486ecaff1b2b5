import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Batch } from '../../../src/ingest/batch/batch.ts';
import { Ingester } from '../../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../../src/ingest/options.ts';
import { type Delivery, startDelivery } from '../../helpers/delivery.ts';
import { turnsOfTheLoop } from '../../helpers/hand-clock.ts';
import type { SinkAnswer } from '../../helpers/ingest-sink.ts';

let delivery: Delivery;

beforeEach(async () => {
  delivery = await startDelivery();
});

function open(options: IngesterOptions = {}): Ingester {
  const ingester = new Ingester({ ...delivery.options, flushIntervalMs: 10, ...options });
  onTestFinished(() => ingester.close());
  return ingester;
}

function addNumbers(ingester: Ingester, first: number, last: number): void {
  for (let n = first; n <= last; n++) ingester.add({ attributes: { n } });
}

function batchLengths(): number[] {
  return delivery.sink.requests.map(({ groups }) =>
    groups.reduce((sum, { events }) => sum + events.length, 0),
  );
}

it('batches grow while a request is in flight', async () => {
  const { sink } = delivery;
  sink.answer = (_, index) => (index === 0 ? { delayMs: 200 } : {});
  const ingester = open();
  addNumbers(ingester, 1, 1);
  await expect.poll(() => ingester.stats.inFlightRecords).toBe(1);
  addNumbers(ingester, 2, 9_001);
  await ingester.flush();
  expect(batchLengths()).toEqual([1, 9_000]);
});

it('a batch never exceeds maxBatchRecords', async () => {
  delivery.sink.answer = () => ({ delayMs: 5 });
  const ingester = open({ maxBatchRecords: 30 });
  addNumbers(ingester, 1, 100);
  await ingester.flush();
  expect(batchLengths()).toEqual([30, 30, 30, 10]);
});

it('the queue holds several times maxQueueBytes in an outage, because batches are compressed', async () => {
  const { sink } = delivery;
  let isDown = true;
  sink.answer = () => (isDown ? { status: 503 } : {});
  const ingester = open({ maxQueueBytes: 1_000_000, maxBatchBytes: 100_000, maxRetryDelayMs: 20 });
  const text = 'the same words as in every other record '.repeat(10);
  for (let n = 1; n <= 8_000; n++) {
    ingester.add({ attributes: { n, text } });
    // The compressor runs on another thread, which may be slower.
    while (ingester.stats.queuedBytes > 700_000) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ingester.stats).toMatchObject({ accepted: 8_000, dropped: { overflow: 0 } });
  expect(ingester.stats.queuedBytes).toBeLessThan(1_000_000);
  isDown = false;
  await ingester.flush();
  const numbers = sink.events.map(({ attributes }) => Number(attributes.n));
  expect(numbers.sort((a, b) => a - b)).toEqual(Array.from({ length: 8_000 }, (_, i) => i + 1));
});

it('the cost of add() does not depend on the number of queued batches', async () => {
  delivery.sink.answer = () => ({ hang: true });
  const ingester = open({ maxBatchRecords: 1, closeTimeoutMs: 1 });
  using measured = vi.spyOn(Batch.prototype, 'heldBytes', 'get');
  for (let n = 1; n <= 1_000; n++) {
    ingester.add({ attributes: { n } });
    if (n % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  // A few times per batch, and not for each record.
  expect(measured.mock.calls.length).toBeLessThanOrEqual(3 * 1_000);
  expect(ingester.stats).toMatchObject({ accepted: 1_000, queuedRecords: 999, inFlightRecords: 1 });
});

it.each([3, 20])('the ingester keeps up to %i requests in flight (maxRequestsInFlight)', async (max) => {
  const { sink } = delivery;
  let answer!: (answer: SinkAnswer) => void;
  const answers = new Promise<SinkAnswer>((resolve) => {
    answer = resolve;
  });
  sink.answer = () => answers;
  const ingester = open({ maxRequestsInFlight: max, maxBatchRecords: 10 });
  addNumbers(ingester, 1, 40 * max);
  const flushed = ingester.flush();
  await expect.poll(() => sink.requests.length).toBe(max);
  await turnsOfTheLoop();
  expect(sink.requests).toHaveLength(max);
  expect(ingester.stats.inFlightRecords).toBe(10 * max);
  answer({});
  await flushed;
  expect(sink.events.map(({ attributes }) => Number(attributes.n)).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 40 * max }, (_, index) => index + 1),
  );
});

it('copies of a record have the same batchId and seq, and different records do not', async () => {
  const { sink } = delivery;
  // The response is lost: the records are stored, and sent again.
  let lost = 0;
  sink.answer = ({ groups }) => {
    if (lost++ > 0) return {};
    sink.events.push(...groups.flatMap(({ events }) => events));
    return { reset: true };
  };
  const ingester = open({ batchIds: true, maxBatchRecords: 5 });
  addNumbers(ingester, 1, 12);
  await ingester.flush();
  expect(sink.events).toHaveLength(17);
  const markOf = new Map<unknown, string>();
  for (const { attributes } of sink.events) {
    const mark = `${attributes.batchId} ${attributes.seq}`;
    expect(markOf.get(attributes.n) ?? mark).toBe(mark);
    markOf.set(attributes.n, mark);
  }
  expect(new Set(markOf.values()).size).toBe(12);
});

it('batchId and seq replace attributes with these names', async () => {
  const ingester = open({ batchIds: true });
  ingester.add({ attributes: { a: { seq: 1 }, batchId: 'mine', text: '"seq":' } });
  ingester.add({ attributes: { seq: { n: 1 } }, rawstring: '{"seq":2}' });
  ingester.add({ attributes: { seq: 1, batchId: '2', n: 10n ** 20n } });
  await ingester.flush();
  const batchId = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(delivery.sink.events.map(({ attributes }) => attributes)).toEqual([
    { batchId, seq: 0, a: { seq: 1 }, text: '"seq":' },
    { batchId, seq: 1 },
    { batchId, seq: 2, n: '100000000000000000000' },
  ]);
  expect(delivery.sink.events[1]?.rawstring).toBe('{"seq":2}');
});

it('batchId and seq are added to an event without attributes', async () => {
  const ingester = open({ batchIds: true });
  ingester.add({ rawstring: 'plain text' });
  await ingester.flush();
  expect(delivery.sink.events[0]).toMatchObject({
    attributes: { batchId: expect.stringMatching(/^[0-9a-f]{12}$/), seq: 0 },
    rawstring: 'plain text',
  });
});

it.each([
  ['{"timestamp": 1770109200000, "attributes": {"n": 1.50}}', '"n": 1.50', undefined],
  ['{"attributes":{ },"timestamp":1770109200000}', '', undefined],
  ['{"rawstring":"plain","timestamp":1770109200000}', '', 'plain'],
  ['{"timestamp":1770109200000,"attributes": null }', '', undefined],
  ['{"timestamp":1770109200000,"timezone":"a\\"b","attributes":{"a":[{}]}}', '"a":[{}]', undefined],
  ['{"timestamp":1770109200000,"x":{"attributes":{"n":1}},"attributes":{"m":2}}', '"m":2', undefined],
  ['{"timestamp":1770109200000,"\\u0061ttributes":{"seq": 7,"m":2}}', '"m":2', undefined],
])(
  'batchId and seq are added to the attributes of an event from addText(): %s',
  async (text, own, rawstring) => {
    const ingester = open({ batchIds: true });
    ingester.addText(text);
    await ingester.flush();
    const { attributes, ...rest } = delivery.sink.events[0]!;
    const mark = { batchId: expect.stringMatching(/^[0-9a-f]{12}$/), seq: 0 };
    expect(attributes).toEqual({ ...mark, ...JSON.parse(`{${own}}`) });
    expect(rest).toMatchObject({
      timestamp: 1770109200000,
      ...(rawstring === undefined ? {} : { rawstring }),
    });
  },
);

it('an event above maxEventBytes is shortened, and its neighbors are unchanged', async () => {
  const ingester = open({ maxEventBytes: 2_000 });
  ingester.add({ attributes: { n: 1, text: 'short' } });
  ingester.add({ attributes: { n: 2, text: 'x'.repeat(50_000) } });
  ingester.add({ attributes: { n: 3, text: 'y'.repeat(1_000) } });
  await ingester.flush();
  const [first, second, third] = delivery.sink.events.map(({ attributes }) => attributes);
  expect(first).toEqual({ n: 1, text: 'short' });
  expect(second).toEqual({ n: 2, text: expect.stringMatching(/^x{1000,}… \[cut, \d+ bytes in all\]$/) });
  expect(third).toEqual({ n: 3, text: 'y'.repeat(1_000) });
});

it('a request is retried immediately without a warning if an idle connection was closed', async () => {
  const { sink, warnings } = delivery;
  const ingester = open({ minRetryDelayMs: 60_000, maxRetryDelayMs: 60_000 });
  addNumbers(ingester, 1, 1);
  await ingester.flush();
  sink.answer = (_, index) => (index === 1 ? { reset: true } : {});
  addNumbers(ingester, 2, 2);
  await ingester.flush();
  expect(sink.events.map(({ attributes }) => attributes.n)).toEqual([1, 2]);
  expect(ingester.stats.retried).toBe(0);
  expect(warnings).toEqual([]);
});

it('onRecovered receives outageMs and failedAttempts when delivery resumes', async () => {
  const { sink } = delivery;
  const recoveries: unknown[] = [];
  sink.answer = (_, index) => (index < 3 ? { status: 503 } : {});
  const ingester = open({ onRecovered: (recovery) => recoveries.push(recovery) });
  addNumbers(ingester, 1, 3);
  await ingester.flush();
  expect(recoveries).toEqual([{ outageMs: expect.any(Number), failedAttempts: 3 }]);
});
