import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Ingester } from '../../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../../src/ingest/options.ts';
import { startDelivery } from '../../helpers/delivery.ts';
import type { IngestSink, SinkRequest } from '../../helpers/ingest-sink.ts';
import { lawCases } from '../../helpers/laws.ts';

const POISON = -1;

function numbersIn({ groups }: SinkRequest): number[] {
  return groups.flatMap(({ events }) => events.map(({ attributes }) => Number(attributes.n)));
}

/** A firewall that dislikes some records. */
function firewall(
  status: number,
  dislikes: (n: number) => boolean = (n) => n === POISON,
): IngestSink['answer'] {
  return (request) => (numbersIn(request).some(dislikes) ? { status } : {});
}

function range(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

/** The numbers of the delivered events, sorted. */
function delivered({ events }: IngestSink): number[] {
  return events.map(({ attributes }) => Number(attributes.n)).sort((a, b) => a - b);
}

async function open(options: Partial<IngesterOptions> = {}) {
  const delivery = await startDelivery();
  const start = (more: Partial<IngesterOptions> = {}): Ingester => {
    const ingester = new Ingester({
      ...delivery.options,
      flushIntervalMs: 1,
      minRetryDelayMs: 1,
      maxRetryDelayMs: 2,
      ...options,
      ...more,
    });
    onTestFinished(() => ingester.close());
    return ingester;
  };
  return { ...delivery, start };
}

function add(ingester: Ingester, numbers: readonly number[]): void {
  for (const n of numbers) ingester.add({ attributes: { n } });
}

function temporarySpool(): IngesterOptions['spool'] {
  const directory = mkdtempSync(join(tmpdir(), 'logclient-refused-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return { directory, fsync: 'never' };
}

describe('A record that a firewall refuses', () => {
  it('is found in a crowd without any other traffic', async () => {
    const { sink, start } = await open();
    sink.answer = firewall(403);
    const ingester = start();
    add(ingester, [...range(0, 300), POISON, ...range(300, 300)]);
    await expect.poll(() => ingester.stats.delivered).toBe(600);
    expect(ingester.stats.dropped).toMatchObject({ rejected: 0 });
  });

  it('is kept and sent again while nothing else is accepted', async () => {
    const { sink, start } = await open({ closeTimeoutMs: 200 });
    sink.answer = firewall(403);
    const ingester = start();
    add(ingester, [POISON]);
    await expect.poll(() => ingester.stats.retried).toBeGreaterThan(20);
    expect(ingester.stats.dropped).toMatchObject({ rejected: 0 });
    await ingester.close();
    expect(ingester.stats.dropped).toMatchObject({ rejected: 0, closed: 1 });
  });

  it('does not hold up the others at close', async () => {
    const { sink, start } = await open({ flushIntervalMs: 60_000 });
    sink.answer = firewall(403);
    const ingester = start();
    add(ingester, [...range(0, 60), POISON, ...range(60, 40)]);
    await ingester.close();
    expect(delivered(sink)).toEqual(range(0, 100));
    const { rejected, closed } = ingester.stats.dropped;
    expect(rejected + closed).toBe(1);
  });
});

const SETTINGS = [
  { maxBatchRecords: 10 },
  { maxBatchRecords: 1 },
  { maxBatchRecords: 10, maxRequestsInFlight: 4 },
  { maxBatchRecords: 1, maxRequestsInFlight: 4 },
  { maxBatchRecords: 10, spool: {} },
];

describe('An outage in which everything is refused', () => {
  it.each(lawCases(SETTINGS, 1))('loses nothing (%o)', async ({ spool, ...options }) => {
    const { sink, start, warnings } = await open({ ...options, ...(spool && { spool: temporarySpool() }) });
    for (const status of [403, 413]) {
      sink.answer = () => ({ status });
      const ingester = start();
      add(ingester, range(0, 40));
      await expect.poll(() => ingester.stats.retried).toBeGreaterThan(30);
      add(ingester, range(40, 40));
      await expect.poll(() => ingester.stats.retried).toBeGreaterThan(100);
      expect(ingester.stats).toMatchObject({ delivered: 0, accepted: 80 });
      sink.answer = () => ({});
      await ingester.flush();
      expect(delivered(sink)).toEqual(range(0, 80));
      expect(ingester.stats).toMatchObject({ accepted: 80, delivered: 80 });
      sink.events.length = 0;
    }
    expect(warnings.filter(({ kind }) => kind === 'rejected')).toEqual([]);
  });

  it('loses nothing if the last refusals arrive after the first accepted records', async () => {
    const { sink, start } = await open({ maxBatchRecords: 1, maxRequestsInFlight: 4 });
    let recovered = () => {};
    const recovery = new Promise<void>((resolve) => (recovered = resolve));
    sink.answer = async (_request, index) => {
      if (index < 200) return { status: 403 };
      const isLate = index < 203;
      if (isLate) await recovery;
      else setImmediate(recovered);
      return isLate ? { status: 403, delayMs: 50 } : {};
    };
    const ingester = start();
    add(ingester, range(0, 8));
    await ingester.flush();
    expect(delivered(sink)).toEqual(range(0, 8));
    expect(ingester.stats).toMatchObject({ delivered: 8, dropped: { rejected: 0 } });
  });

  it.each([1, 4])(
    'loses nothing if one replica recovers after the other, %i in flight',
    async (maxRequestsInFlight) => {
      const { sink, start } = await open({ maxBatchRecords: 1, maxRequestsInFlight });
      const refusedSince = new Set<number>();
      let isOutage = true;
      sink.answer = (request) => {
        const [n] = numbersIn(request);
        if (isOutage || (n! % 3 === 0 && !refusedSince.has(n!))) {
          if (!isOutage) refusedSince.add(n!);
          return { status: 403 };
        }
        return {};
      };
      const ingester = start();
      add(ingester, range(0, 40));
      await expect.poll(() => ingester.stats.retried).toBeGreaterThan(200);
      isOutage = false;
      await ingester.flush();
      expect(delivered(sink)).toEqual(range(0, 40));
      expect(ingester.stats).toMatchObject({ delivered: 40, dropped: { rejected: 0 } });
    },
  );

  it('costs three requests at close, and its records are counted as closed', async () => {
    const { sink, start } = await open({ flushIntervalMs: 60_000 });
    sink.answer = () => ({ status: 403 });
    const ingester = start();
    add(ingester, range(0, 100));
    await ingester.close();
    expect(sink.requests).toHaveLength(3);
    expect(ingester.stats).toMatchObject({ delivered: 0, dropped: { closed: 100, rejected: 0 } });
  });

  it('sends single records, not whole batches, after three refusals', async () => {
    const { sink, start } = await open({ maxBatchRecords: 100 });
    sink.answer = () => ({ status: 403 });
    const ingester = start({ closeTimeoutMs: 100 });
    add(ingester, range(0, 300));
    await expect.poll(() => sink.requests.length).toBeGreaterThan(20);
    const sizes = sink.requests.map((request) => numbersIn(request).length);
    expect(sizes.slice(0, 4)).toEqual([100, 100, 100, 1]);
    expect(Math.max(...sizes.slice(3))).toBe(1);
  });
});

describe('A service that has accepted nothing', () => {
  it('loses at most ten records if it rejects all with 400', async () => {
    const { sink, start, warnings } = await open({ maxBatchRecords: 20 });
    sink.answer = () => ({ status: 400, body: 'malformed' });
    const ingester = start();
    add(ingester, range(0, 200));
    await expect.poll(() => ingester.stats.retried).toBeGreaterThan(20);
    expect(ingester.stats.dropped).toEqual({
      overflow: 0,
      rejected: 10,
      closed: 0,
      damaged: 0,
      unredactable: 0,
    });
    expect(warnings.map(({ kind }) => kind)).toContain('retry');
    sink.answer = () => ({});
    await ingester.flush();
    expect(ingester.stats).toMatchObject({ delivered: 190, dropped: { rejected: 10 } });
  });
});

it.each(['HPE_INVALID_CONSTANT', 'HPE_HEADER_OVERFLOW', 'UND_ERR_HEADERS_OVERFLOW', 'ECONNRESET'])(
  'a record whose requests end with %s does not stop the others',
  async (code) => {
    const delivery = await startDelivery();
    const answerOf: typeof fetch = (url, init) =>
      String(init?.body).includes('poison')
        ? Promise.reject(
            new TypeError('fetch failed', { cause: Object.assign(new Error('Parse Error'), { code }) }),
          )
        : fetch(url, init);
    const ingester = new Ingester({
      ...delivery.options,
      fetch: answerOf,
      compression: 'none',
      flushIntervalMs: 1,
      minRetryDelayMs: 1,
      maxRetryDelayMs: 2,
    });
    onTestFinished(() => ingester.close());
    for (const n of range(0, 50)) ingester.add({ attributes: { n, text: n === 0 ? 'poison' : 'fine' } });
    await expect.poll(() => delivered(delivery.sink)).toEqual(range(1, 49));
  },
);
