import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ingester } from '../../src/ingest/ingester.ts';
import type { IngesterOptions } from '../../src/ingest/options.ts';
import type { Warning } from '../../src/ingest/report/warning.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { type Delivery, startDelivery } from '../helpers/delivery.ts';
import { eventually } from '../helpers/eventually.ts';
import { turnsOfTheLoop, useHandClock } from '../helpers/hand-clock.ts';
import { sendJson, startService } from '../helpers/http-service.ts';
import type { IngestSink } from '../helpers/ingest-sink.ts';

let delivery: Delivery;
let sink: IngestSink;
let warnings: Warning[];
const ingesters: Ingester[] = [];

beforeEach(async () => {
  delivery = await startDelivery();
  ({ sink, warnings } = delivery);
});

afterEach(async () => {
  sink.answer = () => ({});
  await Promise.all(ingesters.splice(0).map((ingester) => ingester.close()));
});

function open(options: IngesterOptions = {}): Ingester {
  const ingester = new Ingester({ ...delivery.options, flushIntervalMs: 20, ...options });
  ingesters.push(ingester);
  return ingester;
}

/** Adds events with the attribute `n` from `first` to `last`. */
function addNumbers(ingester: Ingester, first: number, last: number): void {
  for (let n = first; n <= last; n++) ingester.add({ attributes: { n } });
}

function numbers(): unknown[] {
  return sink.events.map((event) => event.attributes.n);
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

it('An ingester warns once if tagFields have more than 1,000 values', async () => {
  const ingester = open({ tagFields: ['user'] });
  for (let user = 0; user < 3_000; user++) ingester.add({ attributes: { user } });
  await ingester.flush();
  expect(new Set(sink.requests.flatMap(({ groups }) => groups.map(({ tags }) => tags.user))).size).toBe(
    3_000,
  );
  expect(warnings.map(({ kind }) => kind)).toEqual(['tags']);
  expect(warnings[0]?.message).toContain('different tags were created from tagFields (user)');
});

describe('Ingester batches', () => {
  it('are delivered in the order in which records were added', async () => {
    const ingester = open({ maxBatchRecords: 7 });
    addNumbers(ingester, 1, 100);
    await ingester.flush();
    expect(numbers()).toEqual(range(1, 100));
  });

  it('are sent at maxBatchRecords, before flushIntervalMs has passed', async () => {
    const ingester = open({ maxBatchRecords: 10, flushIntervalMs: 60_000 });
    addNumbers(ingester, 1, 25);
    await eventually(() => expect(ingester.stats.delivered).toBe(20));
    expect(sink.events).toHaveLength(20);
    expect(sink.requests.map((request) => request.groups[0]?.events.length)).toEqual([10, 10]);
    expect(ingester.stats).toMatchObject({ delivered: 20, queuedRecords: 5, batches: 2 });
  });

  it('are sent at maxBatchBytes and never exceed it', async () => {
    const ingester = open({ maxBatchBytes: 1_000, flushIntervalMs: 60_000 });
    for (let n = 0; n < 20; n++) ingester.add({ attributes: { n, text: 'x'.repeat(200) } });
    await eventually(() => expect(sink.events.length).toBeGreaterThanOrEqual(15));
    for (const request of sink.requests) {
      expect(JSON.stringify(request.groups[0]?.events).length).toBeLessThanOrEqual(1_002);
      expect(request.groups[0]?.events.length).toBeGreaterThan(1);
    }
  });

  it('contain a single record if it is larger than maxBatchBytes', async () => {
    const ingester = open({ maxBatchBytes: 100 });
    ingester.add({ attributes: { n: 1 } });
    ingester.add({ attributes: { n: 2, text: 'x'.repeat(500) } });
    ingester.add({ attributes: { n: 3 } });
    await ingester.flush();
    expect(numbers()).toEqual([1, 2, 3]);
    expect(sink.requests).toHaveLength(3);
  });

  it('are sent after flushIntervalMs, regardless of their size', async () => {
    const clock = useHandClock();
    const ingester = open({ flushIntervalMs: 100 });
    ingester.add({ attributes: { n: 1 } });
    clock.move(99);
    expect(ingester.stats).toMatchObject({ queuedRecords: 1, inFlightRecords: 0 });
    clock.move(1);
    expect(ingester.stats).toMatchObject({ queuedRecords: 0, inFlightRecords: 1 });
    await eventually(() => expect(numbers()).toEqual([1]));
  });

  it('are sent one at a time by default', async () => {
    let open_ = 0;
    let most = 0;
    sink.answer = () => {
      most = Math.max(most, ++open_);
      setTimeout(() => open_--, 9);
      return { delayMs: 10 };
    };
    const ingester = open({ maxBatchRecords: 1 });
    addNumbers(ingester, 1, 10);
    await ingester.flush();
    expect(most).toBe(1);
    expect(numbers()).toEqual(range(1, 10));
  });
});

describe('Ingester requests', () => {
  it('go to the structured ingest API with an ingest token', async () => {
    const ingester = open();
    ingester.add({
      timestamp: 1_700_000_000_000,
      timezone: 'Europe/Oslo',
      attributes: { a: 1 },
      rawstring: 'raw',
    });
    await ingester.flush();
    expect(sink.requests[0]?.path).toBe('/api/v1/ingest/humio-structured');
    expect(sink.requests[0]?.headers.authorization).toBe(`Bearer ${delivery.options.ingestToken}`);
    expect(sink.events[0]).toEqual({
      timestamp: 1_700_000_000_000,
      timezone: 'Europe/Oslo',
      attributes: { a: 1 },
      rawstring: 'raw',
    });
  });

  it('contain the JSON of addText() with its original digits, and the tags of the options', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const ingester = open({ baseUrl: service.url, compression: 'none', tags: { service: 'shop' } });
    ingester.addText('{"timestamp":1,"attributes":{"n":12345678901234567890,\n"f":7.0}}');
    await ingester.flush();
    const [group] = service.requests[0]!.json<{ tags: object }[]>();
    expect(group?.tags).toEqual({ service: 'shop' });
    expect(service.requests[0]?.text).toContain(
      '{"timestamp":1,"attributes":{"n":12345678901234567890, "f":7.0}}',
    );
  });

  it("use the repository's path with a user token", async () => {
    const ingester = open({ ingestToken: undefined, userToken: 'user-token', repository: 'my shop' });
    ingester.add({ attributes: {} });
    await ingester.flush();
    expect(sink.requests[0]?.path).toBe('/api/v1/repositories/my%20shop/ingest');
    expect(sink.requests[0]?.headers.authorization).toBe('Bearer user-token');
  });

  it('are compressed with gzip unless they are small or compression is off', async () => {
    const large = 'x'.repeat(2_000);
    const zipped = open();
    zipped.add({ attributes: { large } });
    await zipped.flush();
    zipped.add({ attributes: { small: 1 } });
    await zipped.flush();
    const plain = open({ compression: 'none' });
    plain.add({ attributes: { large } });
    await plain.flush();
    expect(sink.requests.map((request) => request.headers['content-encoding'])).toEqual([
      'gzip',
      undefined,
      undefined,
    ]);
    expect(sink.events.map((event) => event.attributes)).toEqual([{ large }, { small: 1 }, { large }]);
  });

  it('share connections, even if response bodies end late', async () => {
    sink.answer = () => ({ bodyDelayMs: 1 });
    const ingester = open();
    for (let n = 1; n <= 50; n++) {
      ingester.add({ attributes: { n } });
      await ingester.flush();
    }
    expect(numbers()).toEqual(range(1, 50));
    expect(new Set(sink.requests.map(({ port }) => port)).size).toBeLessThan(25);
  });

  it('group records in a row by tags and keep their order', async () => {
    const ingester = open({ tags: { service: 'shop' }, tagFields: ['level'] });
    ingester.add({ attributes: { n: 1, level: 'info' } });
    ingester.add({ attributes: { n: 2, level: 'error' } });
    ingester.add({ attributes: { n: 3, level: 'info' } });
    ingester.add({ attributes: { n: 4 } });
    ingester.add({ attributes: { n: 5, level: 'info' }, tags: { service: 'other' } });
    ingester.add({ attributes: { n: 6, level: 30n } });
    await ingester.flush();
    const groups = sink.requests[0]?.groups.map(({ tags, events }) => [
      tags,
      events.map((e) => e.attributes.n),
    ]);
    expect(groups).toEqual([
      [{ service: 'shop', level: 'info' }, [1]],
      [{ service: 'shop', level: 'error' }, [2]],
      [{ service: 'shop', level: 'info' }, [3]],
      [{ service: 'shop' }, [4]],
      [{ service: 'other', level: 'info' }, [5]],
      [{ service: 'shop', level: '30' }, [6]],
    ]);
    expect(sink.events[0]?.attributes.level).toBe('info');
  });
});

describe('Ingester with a failing service', () => {
  it.each([425, 429, 500, 502, 503])('retries a batch after a %i', async (status) => {
    sink.answer = (_, index) => (index === 0 ? { status } : {});
    const ingester = open();
    addNumbers(ingester, 1, 3);
    await ingester.flush();
    expect(numbers()).toEqual([1, 2, 3]);
    expect(sink.requests).toHaveLength(2);
    expect(ingester.stats).toMatchObject({ delivered: 3, retried: 1, batches: 1 });
  });

  it.each([408, 504])('retries the halves of a batch after a %i', async (status) => {
    sink.answer = (_, index) => (index === 0 ? { status } : {});
    const ingester = open();
    addNumbers(ingester, 1, 4);
    await ingester.flush();
    expect(numbers()).toEqual([1, 2, 3, 4]);
    expect(ingester.stats).toMatchObject({ delivered: 4, retried: 1, batches: 2 });
  });

  it('waits at least as long as Retry-After, and at most twice as long', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503, headers: { 'retry-after': '1' } } : {});
    const clock = useHandClock();
    const ingester = open();
    ingester.add({ attributes: { n: 1 } });
    const flushed = ingester.flush();
    await eventually(() => expect(ingester.stats.retried).toBe(1));
    clock.move(999);
    await turnsOfTheLoop();
    expect(sink.requests).toHaveLength(1);
    clock.move(1_001);
    await flushed;
    expect(sink.requests).toHaveLength(2);
  });

  it('retries a batch after a connection reset', async () => {
    sink.answer = (_, index) => (index < 2 ? { reset: true } : {});
    const ingester = open();
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(numbers()).toEqual([1]);
  });

  it('retries a batch if no response arrives within requestTimeoutMs', async () => {
    sink.answer = (_, index) => (index === 0 ? { hang: true } : {});
    const ingester = open({ requestTimeoutMs: 2_000 });
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(numbers()).toEqual([1]);
    expect(ingester.stats.retried).toBe(1);
  });

  it('keeps all records while the service is down, and warns once', async () => {
    const baseUrl = `http://127.0.0.1:${await closedPort()}`;
    const ingester = open({ baseUrl, maxBatchRecords: 3, closeTimeoutMs: 100 });
    addNumbers(ingester, 1, 10);
    await eventually(() => expect(ingester.stats.retried).toBeGreaterThan(1));
    const { queuedRecords, inFlightRecords } = ingester.stats;
    expect(queuedRecords + inFlightRecords).toBe(10);
    expect(warnings.map((warning) => warning.kind)).toEqual(['retry']);
    await ingester.close();
    expect(ingester.stats).toMatchObject({ dropped: { closed: 10 } });
  });

  it.each([401, 402, 403, 404, 406, 407, 415, 451, 501])(
    'keeps records after a %i, warns once, and sends single records until one is accepted',
    async (status) => {
      sink.answer = (_, index) => (index < 6 ? { status } : {});
      const ingester = open({ maxRetryDelayMs: 5 });
      addNumbers(ingester, 1, 3);
      await ingester.flush();
      const sizes = sink.requests.map(({ groups }) => groups.flatMap(({ events }) => events).length);
      expect(sizes.slice(0, 6)).toEqual([3, 3, 3, 1, 1, 1]);
      expect(numbers().sort()).toEqual([1, 2, 3]);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]?.kind).toBe('attention');
      expect(warnings[0]?.message).toContain(String(status));
      expect(warnings[0]?.message).not.toContain(delivery.options.ingestToken);
    },
  );
});

describe('Ingester with a full queue', () => {
  function fill(overflow: IngesterOptions['overflow']): { ingester: Ingester; results: boolean[] } {
    sink.answer = () => ({ delayMs: 30 });
    const ingester = open({ overflow, maxQueueBytes: 600, flushIntervalMs: 60_000 });
    const results = range(1, 30).map((n) =>
      ingester.add({ timestamp: 1_700_000_000_000, attributes: { n } }),
    );
    return { ingester, results };
  }

  it('drops the oldest records by default, and counts and reports them', async () => {
    const { ingester, results } = fill(undefined);
    const { queuedRecords, queuedBytes, dropped } = ingester.stats;
    expect(queuedBytes).toBeLessThanOrEqual(600);
    expect(results.filter((result) => !result)).toHaveLength(30 - queuedRecords);
    await ingester.flush();
    expect(numbers()).toEqual(range(31 - queuedRecords, 30));
    expect(dropped.overflow).toBe(30 - queuedRecords);
    expect(warnings).toEqual([{ kind: 'overflow', message: expect.stringContaining('maxQueueBytes: 600') }]);
  });

  it('drops new records with dropNewest', async () => {
    const { ingester, results } = fill('dropNewest');
    const { queuedRecords } = ingester.stats;
    await ingester.flush();
    expect(numbers()).toEqual(range(1, queuedRecords));
    expect(results.indexOf(false)).toBe(queuedRecords);
    expect(ingester.stats).toMatchObject({ accepted: 30, dropped: { overflow: 30 - queuedRecords } });
  });

  it('accepts no record with block until drained() resolves', async () => {
    const { ingester, results } = fill('block');
    const taken = results.filter(Boolean).length;
    // A full batch does not wait for more records.
    expect(ingester.stats).toMatchObject({
      accepted: taken,
      inFlightRecords: taken,
      dropped: { overflow: 0 },
    });
    for (let n = taken + 1; n <= 30; n++) {
      while (!ingester.add({ timestamp: 1_700_000_000_000, attributes: { n } })) await ingester.drained();
    }
    await ingester.flush();
    expect(numbers()).toEqual(range(1, 30));
    expect(warnings).toEqual([]);
  });

  it('has room for the rejected record when drained() resolves', async () => {
    sink.answer = () => ({ delayMs: 20 });
    const ingester = open({ overflow: 'block', maxQueueBytes: 1_000, flushIntervalMs: 60_000 });
    ingester.add({ attributes: { n: 1, text: 'x'.repeat(300) } });
    const large = { attributes: { n: 2, text: 'x'.repeat(700) } };
    expect(ingester.add(large)).toBe(false);
    await ingester.drained();
    expect(ingester.add(large)).toBe(true);
    await ingester.flush();
    expect(numbers()).toEqual([1, 2]);
  });

  it.each(['dropOldest', 'dropNewest', 'block'] as const)(
    'drops only the record that is larger than the whole queue with %s',
    async (overflow) => {
      const ingester = open({ overflow, maxQueueBytes: 200 });
      ingester.add({ attributes: { n: 1 } });
      ingester.add({ attributes: { n: 2, text: 'x'.repeat(500) } });
      ingester.add({ attributes: { n: 3 } });
      await ingester.flush();
      expect(numbers()).toEqual([1, 3]);
      expect(ingester.stats).toMatchObject({ accepted: 3, dropped: { overflow: 1 } });
    },
  );

  it('reports many drops in one warning', () => {
    const ingester = open({ maxQueueBytes: 100 });
    addNumbers(ingester, 1, 1_000);
    expect(ingester.stats.dropped.overflow).toBeGreaterThan(990);
    expect(warnings).toHaveLength(1);
  });
});

describe('Ingester flush()', () => {
  it('resolves when a slow service has received all earlier records', async () => {
    sink.answer = () => ({ delayMs: 150 });
    const ingester = open({ maxBatchRecords: 100, flushIntervalMs: 60_000 });
    addNumbers(ingester, 1, 200);
    await ingester.flush();
    expect(numbers()).toEqual(range(1, 200));
  });

  it('does not wait for records that are added later', async () => {
    const ingester = open({ flushIntervalMs: 60_000 });
    addNumbers(ingester, 1, 2);
    const flushed = ingester.flush();
    addNumbers(ingester, 3, 4);
    await flushed;
    expect(numbers()).toEqual([1, 2]);
    expect(ingester.stats.queuedRecords).toBe(2);
  });

  it('waits for the batch in flight', async () => {
    sink.answer = () => ({ delayMs: 50 });
    const ingester = open({ maxBatchRecords: 1 });
    ingester.add({ attributes: { n: 1 } });
    await Promise.all([ingester.flush(), ingester.flush()]);
    expect(numbers()).toEqual([1]);
  });

  it('resolves without a request if there is nothing to send', async () => {
    await open().flush();
    expect(sink.requests).toEqual([]);
  });

  it('resolves when the service rejects the records', async () => {
    sink.answer = () => ({ status: 400 });
    const ingester = open();
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(ingester.stats.dropped.rejected).toBe(1);
  });
});

describe('Ingester close()', () => {
  it('retries a 503 and delivers the remaining records', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503 } : {});
    const ingester = open({ flushIntervalMs: 60_000 });
    addNumbers(ingester, 1, 10);
    await Promise.all([ingester.close(), ingester.close()]);
    expect(numbers()).toEqual(range(1, 10));
    expect(warnings).toEqual([]);
  });

  it('drops the remaining records after closeTimeoutMs and reports them in one warning', async () => {
    sink.answer = () => ({ hang: true });
    const ingester = open({ maxBatchRecords: 4, closeTimeoutMs: 100 });
    addNumbers(ingester, 1, 10);
    const flushed = ingester.flush();
    await ingester.close();
    await flushed;
    expect(ingester.stats).toMatchObject({ dropped: { closed: 10 }, queuedRecords: 0, inFlightRecords: 0 });
    // A request that timed out would have added another warning.
    expect(warnings).toEqual([
      { kind: 'closed', message: expect.stringMatching(/^10 records .*closeTimeoutMs: 100/) },
    ]);
  });

  it('names the 401, not closeTimeoutMs, in the warning about dropped records', async () => {
    sink.answer = () => ({ status: 401 });
    const ingester = open();
    addNumbers(ingester, 1, 2);
    await ingester.close();
    expect(warnings.at(-1)).toEqual({
      kind: 'closed',
      message: expect.stringMatching(
        /^2 records were dropped: not delivered before close\. Last failure: POST \S+ failed with status 401/,
      ),
    });
  });

  it('does not name the failure of an outage that has ended', async () => {
    sink.answer = (_, index) => [{ status: 503 }, {}][index] ?? { hang: true };
    const clock = useHandClock();
    const ingester = open({ closeTimeoutMs: 100 });
    addNumbers(ingester, 1, 1);
    clock.move(20);
    await eventually(() => expect(ingester.stats.retried).toBe(1));
    clock.move(30_000);
    await eventually(() => expect(ingester.stats.delivered).toBe(1));
    addNumbers(ingester, 2, 2);
    const closed = ingester.close();
    await eventually(() => expect(sink.requests).toHaveLength(3));
    clock.move(100);
    await closed;
    const message = '1 record was dropped: not delivered before close (closeTimeoutMs: 100).';
    expect(warnings.at(-1)).toEqual({ kind: 'closed', message });
  });

  it('makes one more attempt immediately instead of waiting for the retry delay', async () => {
    sink.answer = (_, index) => (index === 0 ? { status: 503 } : {});
    const ingester = open({ minRetryDelayMs: 60_000, maxRetryDelayMs: 60_000 });
    ingester.add({ attributes: { n: 1 } });
    await eventually(() => expect(ingester.stats.retried).toBe(1));
    await ingester.close();
    expect(numbers()).toEqual([1]);
  });

  it('does not wait for a retry after a 401', async () => {
    sink.answer = () => ({ status: 401 });
    const ingester = open();
    ingester.add({ attributes: { n: 1 } });
    // The clock is stopped: any delay would last forever.
    useHandClock();
    await ingester.close();
    expect(ingester.stats.dropped.closed).toBe(1);
  });

  it('counts records that are added later as dropped', async () => {
    const ingester = open();
    await ingester.close();
    ingester.add({ attributes: { n: 1 } });
    expect(ingester.stats).toMatchObject({ accepted: 1, dropped: { closed: 1 } });
    expect(warnings.map((warning) => warning.kind)).toEqual(['closed']);
  });
});

describe('Unusual values', () => {
  it('are added without throwing, and do not affect the next record', async () => {
    const fail = (): never => {
      throw new Error('boom');
    };
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const hostile = new Proxy({}, { get: fail, ownKeys: fail, getOwnPropertyDescriptor: fail });
    const warnings: string[] = [];
    const ingester = open({ tagFields: ['a'], onWarning: ({ kind }) => void warnings.push(kind) });
    ingester.add({ attributes: circular });
    ingester.add({ attributes: hostile });
    ingester.add({ attributes: { a: 1n, toJSON: fail } });
    ingester.add({ attributes: [1] });
    ingester.add({
      attributes: 'text' as never,
      timestamp: 'yesterday',
      rawstring: 5 as never,
      tags: null as never,
    });
    ingester.add({ rawstring: { toString: fail } as never });
    ingester.add({ timestamp: Object.assign(() => {}, { toString: fail }) as never });
    ingester.add(null as never);
    ingester.add('a line' as never);
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    const attributes = sink.requests[0]?.groups.flatMap(({ events }) =>
      events.map((event) => event.attributes),
    );
    const throws = { value: '[Throws: boom]' };
    expect(attributes).toEqual([
      { self: '[Circular]' },
      throws,
      throws,
      { value: [1] },
      { timestamp: 'yesterday', value: 'text' },
      {},
      {},
      {},
      {},
      { n: 1 },
    ]);
    expect(ingester.stats.delivered).toBe(10);
    expect(warnings).toEqual(['timestamp']); // Two events have this mistake.
  });

  it('are delivered even if their getters throw', async () => {
    const fail = (): never => {
      throw new Error('boom');
    };
    const ingester = open({ tags: { service: 'shop' }, tagFields: ['level'] });
    const get = { get: fail, enumerable: true };
    for (const name of ['timestamp', 'attributes', 'rawstring', 'timezone', 'tags']) {
      ingester.add(Object.defineProperty({ attributes: { level: 'info' } }, name, get));
    }
    ingester.add(Object.assign(() => {}, { toString: fail }) as never);
    await ingester.flush();
    expect(ingester.stats).toMatchObject({ accepted: 6, delivered: 6 });
    const tags = sink.requests[0]?.groups.map((group) => group.tags) ?? [];
    expect(tags).toHaveLength(4);
    expect(new Set(tags.map((each) => each.level))).toEqual(new Set(['info', undefined]));
    expect(JSON.stringify(sink.requests[0]?.groups)).toContain('[Throws: boom]');
  });

  it('are accepted by addText() in place of a string', async () => {
    const ingester = open();
    for (const value of [undefined, null, 5, {}, Symbol('text'), Buffer.from('{"attributes":{"n":1}}')]) {
      ingester.addText(value as never);
    }
    await ingester.flush();
    expect(sink.events.map(({ rawstring, attributes }) => rawstring ?? attributes)).toEqual([
      'undefined',
      'null',
      '5',
      '[object Object]',
      'Symbol(text)',
      { n: 1 },
    ]);
  });
});

describe('Ingester warnings', () => {
  it('are reported once per outage with a 401, regardless of its duration', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    sink.answer = () => {
      vi.setSystemTime(Date.now() + 60_000);
      return { status: sink.requests.length === 4 ? 200 : 401 };
    };
    const ingester = open({ maxRetryDelayMs: 5 });
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(sink.requests).toHaveLength(5);
    expect(warnings.map(({ kind }) => kind)).toEqual(['attention']);
    ingester.add({ attributes: { n: 2 } });
    await eventually(() => expect(sink.requests.length).toBeGreaterThan(10));
    expect(warnings.filter(({ kind }) => kind === 'attention')).toHaveLength(2);
  });

  it('are reported immediately after a request timeout', async () => {
    sink.answer = (_, index) => (index === 0 ? { hang: true } : {});
    const ingester = open({ requestTimeoutMs: 50 });
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(warnings).toEqual([
      { kind: 'retry', message: expect.stringContaining('no response within 50 ms (requestTimeoutMs)') },
    ]);
  });
});

describe('Ingester hooks', () => {
  it('are not called recursively if they add records', async () => {
    let calls = 0;
    const ingester: Ingester = open({
      maxQueueBytes: 100,
      flushIntervalMs: 60_000,
      onDrop: ({ events }) => {
        calls++;
        ingester.add({ attributes: { dropped: events.length } });
      },
    });
    addNumbers(ingester, 1, 3);
    expect(calls).toBe(2);
    await ingester.flush();
    const { accepted, delivered, dropped } = ingester.stats;
    expect(accepted).toBe(5);
    expect(delivered + dropped.overflow).toBe(5);
  });

  it('do not stop delivery if they throw', async () => {
    const fail = (): never => {
      throw new Error('hook');
    };
    const ingester = open({ maxQueueBytes: 100, onDrop: fail, onWarning: fail });
    addNumbers(ingester, 1, 10);
    await ingester.flush();
    expect(sink.events).not.toHaveLength(0);
  });

  it('cause a warning if they throw', async () => {
    const onDrop = (): never => {
      throw new Error('no such table');
    };
    const ingester = open({ maxQueueBytes: 100, onDrop });
    addNumbers(ingester, 1, 10);
    expect(warnings).toContainEqual({ kind: 'internal', message: 'The hook onDrop failed: no such table.' });
  });

  it('cause a warning and do not stop delivery if they reject', async () => {
    sink.answer = (_, index) => ({ status: [503, 200, 400][index] ?? 200 });
    const told: Warning[] = [];
    const rejects = async (): Promise<never> => {
      await new Promise((resolve) => setImmediate(resolve));
      throw new Error('no such table');
    };
    const onWarning = (warning: Warning): Promise<never> => {
      told.push(warning);
      return rejects();
    };
    const ingester = open({ onDrop: rejects, onRecovered: rejects, onWarning });
    for (const n of [1, 2]) {
      addNumbers(ingester, n, n);
      await ingester.flush();
    }
    await eventually(() =>
      expect(told.map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^The hook on(Drop|Recovered) failed: no such table\.$/),
      ),
    );
    expect(ingester.stats).toMatchObject({ delivered: 1, dropped: { rejected: 1 } });
  });
});

describe('Ingester events', () => {
  it('include drop, warn, recovered and stats', async () => {
    sink.answer = (_, index) => ({ status: index === 0 ? 503 : 400 });
    const ingester = open({ minRetryDelayMs: 1 });
    const events: unknown[] = [];
    for (const name of ['drop', 'warn', 'recovered', 'stats'] as const) {
      ingester.on(name, (value: unknown) => events.push([name, value]));
    }
    addNumbers(ingester, 1, 1);
    await ingester.flush();
    sink.answer = () => ({});
    addNumbers(ingester, 2, 2);
    await ingester.close();
    expect(events).toContainEqual(['drop', { reason: 'rejected', records: 1 }]);
    expect(events).toContainEqual(['warn', expect.objectContaining({ kind: 'rejected' })]);
    expect(events).toContainEqual(['recovered', expect.objectContaining({ failedAttempts: 1 })]);
    expect(events.at(-1)).toEqual(['stats', ingester.stats]);
  });

  it('cause an internal warning if a listener throws', async () => {
    sink.answer = () => ({ status: 400 });
    const ingester = open();
    ingester.on('drop', () => {
      throw new Error('thrown on purpose');
    });
    addNumbers(ingester, 1, 1);
    await ingester.flush();
    expect(ingester.stats.dropped.rejected).toBe(1);
    expect(warnings.map(({ kind }) => kind)).toEqual(['rejected', 'internal']);
  });
});
