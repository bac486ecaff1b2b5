import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { runNode } from '../helpers/run-node.ts';

let delivery: Delivery;
let directory: string;

beforeEach(async () => {
  delivery = await startDelivery();
  directory = await mkdtemp(join(tmpdir(), 'logclient-spool-'));
  return () => rm(directory, { recursive: true, force: true });
});

function open(options: IngesterOptions = {}): Ingester {
  const ingester = new Ingester({
    ...delivery.options,
    flushIntervalMs: 10,
    maxRetryDelayMs: 20,
    spool: { directory },
    ...options,
  });
  onTestFinished(() => ingester.close());
  return ingester;
}

function addNumbers(ingester: Ingester, first: number, last: number): void {
  for (let n = first; n <= last; n++) ingester.add({ attributes: { n } });
}

function numbers(): unknown[] {
  return delivery.sink.events.map(({ attributes }) => attributes.n);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function balanceOf({ stats }: Ingester): number {
  const { accepted, delivered, dropped, queuedRecords, spooledRecords, inFlightRecords } = stats;
  const lost = dropped.overflow + dropped.rejected + dropped.closed + dropped.damaged;
  return accepted - delivered - lost - queuedRecords - spooledRecords - inFlightRecords;
}

it('an ingester with a spool delivers in order and leaves no segment behind', async () => {
  const ingester = open({ maxBatchRecords: 70 });
  addNumbers(ingester, 1, 1_000);
  expect(balanceOf(ingester)).toBe(0);
  await ingester.flush();
  expect(numbers()).toEqual(range(1, 1_000));
  await ingester.close();
  expect(ingester.stats).toMatchObject({ accepted: 1_000, delivered: 1_000, spooledRecords: 0 });
  expect(readdirSync(directory, { recursive: true }).filter((name) => String(name).endsWith('.log'))).toEqual(
    [],
  );
  expect(delivery.warnings).toEqual([]);
});

it('records of an outage stay in the spool with a warning, and the next ingester delivers them', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  const first = open({ closeTimeoutMs: 50, maxBatchRecords: 100 });
  addNumbers(first, 1, 500);
  await first.close();
  expect(first.stats).toMatchObject({ accepted: 500, delivered: 0, spooledRecords: 500 });
  expect(first.stats.dropped).toEqual({ overflow: 0, rejected: 0, closed: 0, damaged: 0, unredactable: 0 });
  expect(balanceOf(first)).toBe(0);
  const told = delivery.warnings.filter(({ kind }: Warning) => kind === 'spool');
  expect(told).toHaveLength(1);
  expect(told[0]!.message).toContain('500 undelivered records remain in the spool');

  delivery.sink.answer = () => ({});
  const second = open();
  await expect.poll(() => second.stats.delivered).toBe(500);
  addNumbers(second, 501, 510);
  await second.flush();
  // A request that was in flight when the first one closed may have been accepted, and after failures any record is first.
  const delivered = numbers()
    .map(Number)
    .sort((a, b) => a - b);
  expect([...new Set(delivered)]).toEqual(range(1, 510));
  expect(delivered.length).toBeLessThanOrEqual(510 + 100);
  expect(second.stats).toMatchObject({ accepted: 510, delivered: 510 });
});

it('the spool holds records beyond maxQueueBytes in an outage', async () => {
  let isDown = true;
  delivery.sink.answer = () => (isDown ? { status: 503 } : {});
  const ingester = open({ maxQueueBytes: 10_000 });
  addNumbers(ingester, 1, 5_000);
  expect(ingester.stats).toMatchObject({ accepted: 5_000, dropped: { overflow: 0 } });
  isDown = false;
  await ingester.flush();
  expect(numbers()).toEqual(range(1, 5_000));
});

it.each(['dropOldest', 'dropNewest'] as const)(
  'the spool drops and counts records beyond maxBytes with %s',
  async (overflow) => {
    let isDown = true;
    delivery.sink.answer = () => (isDown ? { hang: true } : {});
    const ingester = open({ overflow, requestTimeoutMs: 2_000, spool: { directory, maxBytes: 20_000 } });
    addNumbers(ingester, 1, 2_000);
    const { dropped } = ingester.stats;
    expect(dropped.overflow).toBeGreaterThan(1_000);
    expect(balanceOf(ingester)).toBe(0);
    isDown = false;
    await ingester.flush();
    const delivered = numbers().map(Number);
    expect(delivered).toHaveLength(2_000 - dropped.overflow);
    expect(delivered).toEqual([...delivered].sort((a, b) => a - b));
    expect(delivered.includes(overflow === 'dropOldest' ? 2_000 : 1)).toBe(true);
  },
);

it('a full spool keeps the newest records while a batch is in flight', async () => {
  let isDown = true;
  delivery.sink.answer = () => (isDown ? { hang: true } : {});
  const ingester = open({
    maxQueueBytes: 20_000,
    requestTimeoutMs: 2_000,
    spool: { directory, maxBytes: 100_000 },
  });
  addNumbers(ingester, 1, 100);
  await expect.poll(() => ingester.stats.inFlightRecords).toBeGreaterThan(0);
  addNumbers(ingester, 101, 3_000);
  const { dropped } = ingester.stats;
  expect(dropped.overflow).toBeGreaterThan(500);
  expect(balanceOf(ingester)).toBe(0);
  const diskBytes = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.log'))
    .reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
  expect(diskBytes).toBeLessThan(150_000);
  isDown = false;
  await ingester.flush();
  const delivered = numbers().map(Number);
  expect(delivered).toHaveLength(3_000 - dropped.overflow);
  // Those in flight, and the newest ones without a gap.
  const gap = delivered.findIndex((n, index) => n !== index + 1);
  expect(gap).toBeGreaterThan(0);
  expect(delivered.slice(gap)).toEqual(range(delivered[gap]!, 3_000));
  expect(3_000 - delivered[gap]!).toBeGreaterThan(1_000);
});

it('a rejected record is dropped, and the others are delivered and removed from the spool', async () => {
  delivery.sink.answer = ({ groups }) =>
    groups.some(({ events }) => events.some(({ attributes }) => attributes.n === 7)) ? { status: 400 } : {};
  const ingester = open();
  addNumbers(ingester, 1, 20);
  await ingester.flush();
  await ingester.close();
  expect(numbers()).toEqual(range(1, 20).filter((n) => n !== 7));
  expect(ingester.stats).toMatchObject({ delivered: 19, dropped: { rejected: 1 }, spooledRecords: 0 });
});

it('spooled records keep their batchId and seq after a restart', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  const first = open({ closeTimeoutMs: 50, batchIds: true });
  addNumbers(first, 1, 3);
  await first.close();
  delivery.sink.answer = () => ({});
  const second = open({ batchIds: true });
  await expect.poll(() => second.stats.delivered).toBe(3);
  const marks = delivery.sink.events.map(({ attributes }) => `${attributes.batchId} ${attributes.seq}`);
  expect(new Set(marks).size).toBe(3);
  expect(JSON.stringify(delivery.sink.requests[0]!.groups)).toBe(
    JSON.stringify(delivery.sink.requests.at(-1)!.groups),
  );
});

it('drained() waits while the spool is not writable and memory is full', async () => {
  delivery.sink.answer = () => ({ status: 503 });
  const ingester = open({
    spool: { directory: '/dev/null/spool' },
    overflow: 'block',
    maxQueueBytes: 2_000,
    closeTimeoutMs: 50,
    onWarning: () => {},
  });
  const fill = (): void => {
    while (ingester.add({ attributes: { text: 'x'.repeat(100) } }));
  };
  fill();
  // The first batch is in flight.
  await ingester.drained();
  fill();
  let isDrained = false;
  const drained = ingester.drained().then(() => {
    isDrained = true;
  });
  await expect.poll(() => delivery.sink.requests.length).toBeGreaterThan(1);
  expect(isDrained).toBe(false);
  delivery.sink.answer = () => ({});
  await drained;
  expect(ingester.add({ attributes: { n: 1 } })).toBe(true);
});

it('the ingester delivers from memory with one warning that names the option if the spool directory is in a file', async () => {
  const ingester = open({ spool: { directory: '/dev/null/spool' } });
  addNumbers(ingester, 1, 100);
  await ingester.flush();
  expect(numbers()).toEqual(range(1, 100));
  expect(delivery.warnings.filter(({ kind }) => kind === 'spool')).toEqual([
    expect.objectContaining({ message: expect.stringContaining('Set "spool.directory" to a folder: ') }),
  ]);
  expect(existsSync('/dev/null/spool')).toBe(false);
});

it.runIf(existsSync('/proc/self'))(
  'the ingester delivers from memory if the spool directory is in /proc',
  async () => {
    const env = { SINK_URL: delivery.sink.url, DIRECTORY: '/proc/logclient/spool' };
    const { stdout, stderr } = await runNode('test/fixtures/spool-nowhere.mjs', env);
    expect(stdout).toBe('1\n');
    expect(stderr).toMatch(/^logclient: Can't write to the spool \/proc\/logclient\/spool: ENOENT/);
  },
);
