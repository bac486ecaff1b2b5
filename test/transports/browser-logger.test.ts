import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LoggerStats } from '../../transports/web/browser/index.ts';
import { createLogger } from '../../transports/web/browser/index.ts';
import { serialize } from '../../transports/web/browser/serialize.ts';
import { type FakeAnswer, type FakePage, FakeSite } from '../helpers/fake-browser.ts';
import { cases } from '../helpers/laws.ts';
import { REALMS } from '../helpers/other-realm.ts';

const DIST = resolve(import.meta.dirname, '../../dist');

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

function logMany(page: FakePage, count: number, size = 0): void {
  for (let index = 0; index < count; index++) page.log.info(`record ${index}`, { text: 'x'.repeat(size) });
}

function sumOf({ logged, ...others }: LoggerStats): number {
  return Object.values(others).reduce((sum, count) => sum + count, 0);
}

describe('A browser record', () => {
  it('has the level, message, page URL, visit ID, logger context and its own fields', async () => {
    const site = new FakeSite();
    const { log } = site.openPage({ context: { release: '1.2' } });
    log.child({ cart: 7 }).warn('low stock', { items: 3 });
    await log.flush();
    const [record] = site.records;
    expect(record).toEqual({
      timestamp: Date.now(),
      level: 'warn',
      message: 'low stock',
      fields: {
        url: 'https://shop.example/cart',
        visitId: expect.stringMatching(/^[0-9a-z]{5,}$/),
        release: '1.2',
        cart: 7,
        items: 3,
      },
    });
  });

  it('contains errors with their name, stack, cause and custom fields', async () => {
    const site = new FakeSite();
    const { log } = site.openPage();
    const cause = new TypeError('inner');
    log.error('failed', Object.assign(new Error('outer', { cause }), { code: 'E1' }));
    log.error('failed', { err: cause });
    await log.flush();
    const { error } = site.records[0]!.fields as { error: Record<string, unknown> };
    expect(error).toMatchObject({ name: 'Error', message: 'outer', code: 'E1' });
    expect(error.stack).toContain('browser-logger.test.ts');
    expect(error.cause).toMatchObject({ name: 'TypeError', message: 'inner', stack: expect.any(String) });
    expect(site.records[1]!.fields.err).toMatchObject({ name: 'TypeError', message: 'inner' });
  });

  it.each(REALMS)('contains errors of %s, also those without a stack', (_, { Error: AnyError }) => {
    const plain = Object.defineProperty(new AnyError('inner'), 'stack', { value: undefined });
    expect(JSON.parse(serialize({ plain }))).toEqual({ plain: { name: 'Error', message: 'inner' } });
  });

  it.each(['MediaError', 'GeolocationPositionError', 'DOMException'])(
    'contains the message and code in the prototype of a %s, which has no stack',
    async (name) => {
      class Value {
        get message() {
          return 'no source';
        }
        get code() {
          return 4;
        }
        get [Symbol.toStringTag]() {
          return name;
        }
      }
      const site = new FakeSite();
      const { log } = site.openPage();
      log.error('failed', new Value());
      log.error('failed', { reason: new Value() });
      await log.flush();
      const expected = { message: 'no source', code: 4 };
      const fields = site.records.map(({ fields: { error, reason } }) => ({ error, reason }));
      expect(fields).toEqual([{ error: expected }, { reason: expected }]);
    },
  );

  it.each([
    [
      '    at pay (https://shop.example/reset?token=s3cr3t#s3cr3t:10:5)',
      '    at pay (https://shop.example/reset:10:5)',
    ],
    [
      'pay@https://shop.example/reset?time=10:20:30&q=(s3cr3t)&x=1:10:5',
      'pay@https://shop.example/reset:10:5',
    ],
    [
      '    at eval (eval at pay (https://shop.example/?token=s3cr3t:1:2), <anonymous>:3:4)',
      '    at eval (eval at pay (https://shop.example/:1:2), <anonymous>:3:4)',
    ],
    [
      "URL 'https://shop.example/?token=s3cr3t' failed. Why? #1",
      "URL 'https://shop.example/' failed. Why? #1",
    ],
    ['blob:https://shop.example/1?x file:///a.js#y', 'blob:https://shop.example/1 file:///a.js'],
  ])('has no query strings and fragments of URLs in stacks and messages: %j', (text, expected) => {
    const errors = [Object.assign(new Error(text), { stack: text })];
    const cause = Object.assign(new Error('x', { cause: errors[0] }), { url: 'https://api.example/?page=2' });
    const copy = JSON.parse(serialize({ error: new AggregateError(errors, text, { cause }) })).error;
    expect([copy.message, copy.cause.cause.stack, copy.errors[0].stack]).toEqual(Array(3).fill(expected));
    expect(copy.cause.url).toBe('https://api.example/?page=2');
  });

  it.each<[unknown, object]>([
    ['reason', { value: 'reason' }],
    [7, { value: 7 }],
    [[1, 'a'], { value: [1, 'a'] }],
    [new Set([1]), { value: [1] }],
    [
      { map: new Map([['a', { b: 1 }]]), set: new Set(['x']) },
      { map: [['a', { b: 1 }]], set: ['x'] },
    ],
    [null, {}],
    [undefined, {}],
  ])('has all that is passed as its fields: %j', async (fields, expected) => {
    const site = new FakeSite();
    const { log } = site.openPage();
    log.error('failed', fields);
    await log.flush();
    const { url: _, visitId: __, ...own } = site.records[0]!.fields;
    expect(own).toEqual(expected);
  });

  it('of an error without a message of its own has the message and the error', async () => {
    const site = new FakeSite();
    const { log } = site.openPage();
    log.error(new TypeError('no wallet'), { cart: 7 });
    log.error(new Error());
    await log.flush();
    expect(site.records).toMatchObject([
      { message: 'no wallet', fields: { cart: 7, error: { name: 'TypeError', stack: expect.any(String) } } },
      { message: 'Error', fields: { error: { name: 'Error' } } },
    ]);
  });

  it("is not logged if it is below the logger's level", async () => {
    const site = new FakeSite();
    const { log } = site.openPage({ level: 'warn' });
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    await log.flush();
    expect(site.records.map(({ message }) => message)).toEqual(['c', 'd']);
    expect(log.stats.logged).toBe(2);
  });

  it('with any fields is serialized to fewer than 64,000 characters without throwing', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, maxDepth: 12 }), (value) => {
        const text = serialize({ message: 'x', fields: { value } });
        expect(text.length).toBeLessThan(64_000);
        expect(JSON.parse(text).message).toBe('x');
      }),
      cases(),
    );
    const circular: Record<string, unknown> = { a: 1 };
    circular.self = circular;
    expect(serialize(circular)).toBe('{"a":1,"self":"[Circular]"}');
    const deep = JSON.parse(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`);
    expect(serialize(deep)).toBe(`${'{"a":'.repeat(7)}"[Cut]"${'}'.repeat(7)}`);
    expect(
      serialize({
        get a() {
          throw new Error();
        },
      }),
    ).toBe('"[Throws]"');
    expect(serialize({ list: Array(1e6).fill(1) }).length).toBeLessThan(2_000);
    expect(serialize({ text: 'x'.repeat(1e6) }).length).toBeLessThan(11_000);
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`f${n}`, n]));
    expect(Object.keys(JSON.parse(serialize(many))).length).toBeLessThan(510);
  });

  it.each([{ message: 'inherited' }, { stack: 'inherited' }])(
    'has only the own fields of a value that is no error, with the prototype %o',
    (prototype) => {
      const value = Object.assign(Object.create(prototype), { code: 1 });
      expect(serialize({ value })).toBe('{"value":{"code":1}}');
    },
  );

  it('is in the same request as others up to 32,000 bytes', async () => {
    const site = new FakeSite();
    const sizes: number[] = [];
    const answer = site.answer;
    site.answer = (body, text) => {
      const start = text.indexOf('[');
      sizes.push(text.length - 1 - start);
      return answer(body, text);
    };
    const { log } = site.openPage({ flushIntervalMs: 1_000_000 });
    log.info('a'.repeat(9_000));
    await log.flush();
    // In a request, each record counts with a separator.
    const [single = 0] = sizes;
    const overhead = single - 2 - 9_000;
    const fill = (bytes: number): void => log.info('a'.repeat(bytes - 1 - overhead));
    for (const bytes of [9_000, 9_000, 9_000, 5_000, 9_000, 9_000, 9_000, 5_001]) fill(bytes);
    await log.flush();
    expect(sizes.slice(1)).toEqual([32_001, 27_001, 5_002]);
  });

  it('is counted as dropped if reading its fields throws', () => {
    const { log } = new FakeSite().openPage();
    log.info('x', {
      get a() {
        throw new Error('no');
      },
    });
    log.info('y', null as unknown as object);
    expect(log.stats).toMatchObject({ logged: 2, dropped: 1, pending: 1 });
  });
});

it('captureErrors turns uncaught errors and unhandled rejections into records', async () => {
  const site = new FakeSite();
  const page = site.openPage({ captureErrors: true });
  page.dispatch('error', { message: 'Uncaught Error: boom', error: new Error('boom') });
  page.dispatch('error', {
    message: 'Script error. https://shop.example/?token=s3cr3t',
    error: null,
    filename: 'https://shop.example/?token=s3cr3t',
    lineno: 3,
  });
  page.dispatch('unhandledrejection', { reason: new Error('late') });
  page.dispatch('unhandledrejection', { reason: 'text https://shop.example/?token=s3cr3t' });
  await page.log.flush();
  expect(site.records.map(({ level, message, fields }) => [level, message, fields.origin])).toEqual([
    ['error', 'Uncaught Error: boom', 'error'],
    ['error', 'Script error. https://shop.example/', 'error'],
    ['error', 'Unhandled rejection: late', 'unhandledrejection'],
    ['error', 'Unhandled rejection: text https://shop.example/', 'unhandledrejection'],
  ]);
  expect(site.records[0]!.fields.error).toMatchObject({ message: 'boom', stack: expect.any(String) });
  expect(site.records[3]!.fields.error).toBe('text https://shop.example/');
  expect(site.records[1]!.fields.error).toEqual({ filename: 'https://shop.example/', lineno: 3 });
  const quiet = site.openPage();
  quiet.dispatch('error', { message: 'x' });
  expect(quiet.log.stats.logged).toBe(0);
});

describe('Captured errors', () => {
  const fail = (page: FakePage, error: unknown = Object.assign(new Error('boom'), { stack: 'at x' })) =>
    page.dispatch('error', { message: 'Uncaught Error: boom', error });
  const repeats = (site: FakeSite) => site.records.map(({ fields }) => fields.repeated);

  it('in a loop become one record per second, with the number of errors since the last one', async () => {
    const site = new FakeSite();
    const page = site.openPage({ captureErrors: true, flushIntervalMs: 1 });
    for (let n = 0; n < 25; n++) {
      fail(page);
      await wait(100);
    }
    fail(page, Object.assign(new Error('boom'), { stack: 'at y' }));
    page.dispatch('unhandledrejection', { reason: 'boom' });
    page.dispatch('unhandledrejection', { reason: 'other' });
    await wait(5_000);
    expect(repeats(site)).toEqual([undefined, 9, 10, undefined, undefined, undefined, 5]);
    fail(page);
    await wait(5_000);
    expect(repeats(site).slice(7)).toEqual([undefined]);
  });

  it('are counted when the page ends', () => {
    const site = new FakeSite();
    const page = site.openPage({ captureErrors: true });
    for (let n = 0; n < 10; n++) fail(page);
    page.dispatch('pagehide');
    expect(repeats(site)).toEqual([undefined, 9]);
  });

  it('are logged once per page, by the logger that was created last, until it is closed', async () => {
    const site = new FakeSite();
    const page = site.openPage({ captureErrors: true });
    const loggers = ['a', 'b'].map((version) =>
      page.openLogger({ captureErrors: true, context: { version } }),
    );
    fail(page);
    await loggers[0]!.close();
    await wait(2_000);
    fail(page);
    expect(site.records).toEqual([]);
    await loggers[1]!.close();
    expect(site.records.map(({ fields }) => fields.version)).toEqual(['b', 'b']);
    fail(page, new Error('x'));
    page.openLogger({ captureErrors: true }).close();
    fail(page, new Error('x'));
    await wait(10_000);
    expect(site.records).toHaveLength(2);
  });
});

describe('Browser delivery', () => {
  it('sends records together after the flush interval, or immediately when they fill a batch', async () => {
    const site = new FakeSite();
    const page = site.openPage({ flushIntervalMs: 2_000 });
    logMany(page, 3);
    await wait(1_999);
    expect(site.requests).toBe(0);
    await wait(1);
    expect(site.received.map(({ records }) => records.length)).toEqual([3]);
    logMany(page, 10, 4_000);
    await wait(0);
    expect(site.records).toHaveLength(13);
    expect(page.log.stats).toEqual({ logged: 13, delivered: 13, beaconed: 0, pending: 0, dropped: 0 });
  });

  it.each<[string, FakeAnswer]>([
    ['status 503', { status: 503 }],
    ['status 429', { status: 429 }],
    ['a failed connection', 'unreachable'],
  ])('retries after %s with growing delays', async (_, failure) => {
    const site = new FakeSite();
    site.answer = () => failure;
    const page = site.openPage();
    logMany(page, 1);
    await page.log.flush();
    await wait(60_000);
    expect(site.requests).toBeGreaterThan(4);
    expect(site.requests).toBeLessThan(10);
    site.answer = () => ({ status: 204 });
    await wait(60_000);
    expect(page.log.stats).toMatchObject({ delivered: 1, pending: 0 });
  });

  it('waits for Retry-After even if more records are logged', async () => {
    const site = new FakeSite();
    site.answer = () => ({ status: 429, retryAfter: '50' });
    const page = site.openPage();
    logMany(page, 1);
    await page.log.flush();
    logMany(page, 100, 1_000);
    page.dispatch('visibilitychange');
    await page.log.flush();
    await wait(49_000);
    expect(site.requests).toBe(1);
    site.answer = () => ({ status: 204 });
    await wait(2_000);
    expect(site.records).toHaveLength(101);
  });

  it('resends the records that a full queue did not accept', async () => {
    const site = new FakeSite();
    site.answer = () => ({ status: 503, accepted: 2 });
    const page = site.openPage();
    logMany(page, 5);
    await page.log.flush();
    expect(page.log.stats).toMatchObject({ delivered: 2, pending: 3 });
    site.answer = () => ({ status: 204 });
    await wait(2_000);
    expect(site.records.map(({ message }) => message)).toEqual([0, 1, 2, 3, 4].map((n) => `record ${n}`));
  });

  it('halves batches that are too large for the handler', async () => {
    const site = new FakeSite();
    site.answer = (_, text) => ({ status: text.length > 5_000 ? 413 : 204 });
    const page = site.openPage();
    logMany(page, 20, 1_000);
    await page.log.flush();
    expect(site.records).toHaveLength(20);
  });

  it('drops records that the handler rejects, warns once, and reports their number', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const site = new FakeSite();
    site.answer = () => ({ status: 400 });
    const page = site.openPage();
    logMany(page, 3);
    await page.log.flush();
    logMany(page, 2);
    await page.log.flush();
    expect(warn.mock.calls).toEqual([
      ['logclient: records dropped, because https://shop.example/logs responded with status 400.'],
    ]);
    expect(page.log.stats).toMatchObject({ logged: 5, dropped: 5, pending: 0 });
    site.answer = () => ({ status: 204 });
    logMany(page, 1);
    await page.log.flush();
    expect(site.received.map(({ lost }) => lost)).toEqual([5]);
  });

  it.each<[number, Partial<FakeAnswer & object>]>([
    [200, { url: 'https://shop.example/login?next=/logs' }],
    [401, {}],
    [403, {}],
    [404, {}],
    [405, {}],
    // The handler itself, after a redirect that has made the request a GET.
    [405, { isForeign: false, url: 'https://shop.example/logs/' }],
  ])(
    'keeps all records while a login, a proxy or a firewall responds with %i instead of the handler: %j',
    async (status, more) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const site = new FakeSite();
      site.answer = () => ({ status, isForeign: true, ...more });
      const page = site.openPage();
      logMany(page, 10);
      await page.log.flush();
      await wait(600_000);
      expect(page.log.stats).toMatchObject({ logged: 10, pending: 10 });
      const { url = 'https://shop.example/logs' } = more;
      expect(warn.mock.calls).toEqual([
        [`logclient: records kept, because ${url} responded with status ${status}.`],
      ]);
      site.answer = () => ({ status: 204 });
      await wait(60_000);
      expect(site.records.map(({ message }) => message).sort()).toEqual(
        Array.from({ length: 10 }, (_, index) => `record ${index}`),
      );
    },
  );

  it.each([
    ['/logs', 'same-origin'],
    ['logs/', 'same-origin'],
    ['https://shop.example/logs', 'same-origin'],
    ['https://logs.example/', 'cors'],
  ])(
    'sends to %s in the mode %s, so that a redirect never passes records on to another origin',
    async (url, mode) => {
      const site = new FakeSite();
      const page = site.openPage({ url });
      logMany(page, 1);
      await page.log.flush();
      expect([...site.modes]).toEqual([mode]);
    },
  );

  it.each<[string, FakeAnswer]>([
    ['responds to with 403', { status: 403, isForeign: true }],
    ['resets', 'unreachable'],
  ])('delivers all other records while a firewall %s each request with one of them', async (_, failure) => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const site = new FakeSite();
    site.answer = (_, text) => (text.includes('"bad"') ? failure : { status: 204 });
    const page = site.openPage();
    logMany(page, 5);
    page.log.info('bad');
    for (let round = 0; round < 20; round++) {
      logMany(page, 5);
      await wait(5_000);
    }
    await wait(60_000);
    expect(site.records).toHaveLength(105);
    expect(page.log.stats).toMatchObject({ delivered: 105, pending: 1, dropped: 0 });
  });

  it.each([-3_600_000, 3_600_000])('retries in time if the clock is set by %i ms', async (setMs) => {
    const site = new FakeSite();
    site.answer = () => 'unreachable';
    const page = site.openPage();
    logMany(page, 1);
    await page.log.flush();
    vi.setSystemTime(Date.now() + setMs);
    site.answer = () => ({ status: 204 });
    await page.log.flush();
    expect(site.requests).toBe(1);
    await wait(1_000);
    expect(page.log.stats).toMatchObject({ delivered: 1, pending: 0 });
  });

  it('stops sending and warns once if the page blocks it by its Content-Security-Policy', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const site = new FakeSite();
    const page = site.openPage();
    const violate = (blockedURI: string, disposition: string) =>
      page.dispatch('securitypolicyviolation', { blockedURI, disposition });
    violate('https://shop.example/logs', 'report');
    violate('https://shop.example/other', 'enforce');
    logMany(page, 1);
    await wait(5_000);
    expect(page.log.stats.delivered).toBe(1);
    site.answer = () => 'unreachable';
    logMany(page, 2);
    await wait(5_000);
    violate('https://shop.example/logs', 'enforce');
    await wait(600_000);
    expect(site.requests).toBe(2);
    expect(warn.mock.calls).toEqual([
      ['logclient: records kept, because https://shop.example/logs is blocked by the CSP.'],
    ]);
    page.dispatch('pagehide');
    expect([page.log.stats.pending, site.savedLost]).toEqual([2, 2]);
  });

  it('does not hurry if Retry-After is longer than any timer', async () => {
    const site = new FakeSite();
    site.answer = () => ({ status: 429, retryAfter: '9999999' });
    const page = site.openPage();
    logMany(page, 1);
    await page.log.flush();
    await wait(60_000);
    expect(site.requests).toBe(1);
  });

  it('keeps only the newest records within maxQueueBytes while offline, and sends them once online', async () => {
    const site = new FakeSite();
    site.isOnline = false;
    const page = site.openPage({ maxQueueBytes: 10_000 });
    logMany(page, 100, 1_000);
    await wait(600_000);
    expect(site.requests).toBe(0);
    const { pending, dropped } = page.log.stats;
    expect(pending).toBeGreaterThan(5);
    expect(pending + dropped).toBe(100);
    site.isOnline = true;
    page.dispatch('online');
    await wait(0);
    expect(site.records.at(-1)!.message).toBe('record 99');
    expect(site.records).toHaveLength(pending);
    expect(site.reportedLost).toBe(dropped);
  });
});

describe('At the end of a page', () => {
  it('records are sent with a beacon', () => {
    const site = new FakeSite();
    const page = site.openPage();
    logMany(page, 100);
    page.dispatch('pagehide');
    expect(site.records).toHaveLength(100);
    expect(site.requests).toBe(0);
    expect(page.log.stats).toMatchObject({ beaconed: 100, pending: 0 });
    expect(site.storage.size).toBe(0);
  });

  it('records that do not fit into a beacon are counted, and the next visit reports them', async () => {
    const site = new FakeSite();
    logMany(site.openPage(), 0);
    const page = site.openPage();
    logMany(page, 20, 9_000);
    await wait(0); // The first batch is sent with a request.
    site.beaconBytes = 0;
    const blocked = site.openPage();
    logMany(blocked, 3, 9_000);
    blocked.dispatch('pagehide');
    expect(site.savedLost).toBe(3);
    site.openPage();
    expect(site.savedLost).toBe(0);
    await wait(5_000);
    expect(site.reportedLost).toBe(3);
  });

  it('all records are counted if there is no connection', async () => {
    const site = new FakeSite();
    site.isOnline = false;
    const page = site.openPage();
    logMany(page, 7);
    page.dispatch('pagehide');
    expect([site.records.length, site.savedLost]).toEqual([0, 7]);
  });

  it('records that the app logs in its own pagehide handler are included', () => {
    const site = new FakeSite();
    const page = site.openPage();
    page.dispatch('pagehide');
    page.log.info('bye');
    expect(site.records.map(({ message }) => message)).toEqual(['bye']);
  });

  it('records are queued again if the user returns to the page', async () => {
    const site = new FakeSite();
    site.isOnline = false;
    const page = site.openPage();
    logMany(page, 7);
    page.dispatch('pagehide');
    site.isOnline = true;
    page.dispatch('pageshow');
    await wait(5_000);
    expect(site.records).toHaveLength(7);
    expect([site.savedLost, site.reportedLost]).toEqual([0, 0]);
  });

  it('records are not queued again if another page has reported them', async () => {
    const site = new FakeSite();
    site.isOnline = false;
    const page = site.openPage();
    logMany(page, 7);
    page.dispatch('pagehide');
    site.isOnline = true;
    site.openPage();
    page.dispatch('pageshow');
    await wait(10_000);
    expect([site.records.length, site.reportedLost]).toEqual([0, 7]);
    expect(page.log.stats).toMatchObject({ dropped: 7, pending: 0 });
  });

  it('records are kept for a returning user if storage is blocked', async () => {
    const site = new FakeSite();
    site.isStorageBlocked = true;
    site.isOnline = false;
    const page = site.openPage();
    logMany(page, 7);
    page.dispatch('pagehide');
    site.isOnline = true;
    page.dispatch('pageshow');
    await wait(5_000);
    expect(site.records).toHaveLength(7);
  });
});

it('a request without records that is answered with 503 delivers none', async () => {
  const site = new FakeSite();
  site.isOnline = false;
  const page = site.openPage();
  logMany(page, 7);
  page.dispatch('pagehide');
  Object.assign(site, { isOnline: true, answer: () => ({ status: 503, accepted: 1 }) });
  const next = site.openPage();
  await wait(70_000);
  expect(next.log.stats).toMatchObject({ logged: 0, delivered: 0, pending: 0 });
});

it('every record is delivered once or reported as lost after any sequence of events', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  const answers: FakeAnswer[] = [
    { status: 204 },
    { status: 503, accepted: 1 },
    { status: 429, retryAfter: '3' },
    { status: 400 },
    { status: 404, isForeign: true },
    'unreachable',
  ];
  const step = fc.oneof(
    fc.record({ log: fc.integer({ min: 1, max: 60 }), size: fc.constantFrom(0, 100, 3_000) }),
    fc.record({ wait: fc.constantFrom(1, 1_000, 6_000, 70_000) }),
    fc.record({ answer: fc.constantFrom(...answers) }),
    fc.record({ maxBytes: fc.constantFrom(2_000, 10_000) }),
    fc.record({ isOnline: fc.boolean() }),
    fc.record({ beaconBytes: fc.constantFrom(0, 10_000, 65_536) }),
    fc.record({ event: fc.constantFrom('online', 'hidden', 'pagehide', 'pageshow', 'flush', 'bfcache') }),
    fc.constant({ leave: true }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const site = new FakeSite();
      let page = site.openPage({ maxQueueBytes: 60_000 });
      let logged = 0;
      let number = 0;
      for (const one of steps) {
        if ('log' in one) {
          for (let index = 0; index < one.log; index++)
            page.log.info(String(number++), { x: 'x'.repeat(one.size) });
        } else if ('wait' in one) await wait(one.wait);
        else if ('answer' in one) site.answer = () => one.answer;
        else if ('maxBytes' in one)
          site.answer = (_, text) => ({ status: text.length > one.maxBytes ? 413 : 204 });
        else if ('isOnline' in one) site.isOnline = one.isOnline;
        else if ('beaconBytes' in one) site.beaconBytes = one.beaconBytes;
        else if ('leave' in one) {
          await wait(0); // Requests in flight survive the page.
          page.dispatch('pagehide');
          logged += page.log.stats.logged;
          page = site.openPage({ maxQueueBytes: 60_000 });
        } else if (one.event === 'flush') void page.log.flush();
        else if (one.event === 'bfcache') {
          page.dispatch('pagehide');
          page.dispatch('pageshow');
        } else {
          page.dispatch(one.event === 'hidden' ? 'visibilitychange' : one.event);
        }
        expect(sumOf(page.log.stats)).toBe(page.log.stats.logged);
      }
      logged += page.log.stats.logged;
      // The service recovers, and a user visits the site again.
      Object.assign(site, { isOnline: true, beaconBytes: 65_536, answer: () => ({ status: 204 }) });
      page.dispatch('pageshow');
      page.dispatch('online');
      await wait(70_000);
      expect(page.log.stats.pending).toBe(0);
      page.dispatch('pagehide');
      const last = site.openPage();
      await wait(70_000);
      expect(last.log.stats.logged).toBe(0);
      const numbers = site.records.map(({ message }) => message);
      expect(new Set(numbers).size).toBe(numbers.length);
      expect(numbers.length + site.reportedLost).toBe(logged);
    }),
    cases(100),
  );
});

it('createLogger() rejects invalid options with an error that names them', () => {
  expect(() => createLogger({ levels: 'info' } as object)).toThrow('createLogger has no option "levels".');
  expect(() => createLogger({ level: 'fatal' as 'error' })).toThrow(
    'createLogger: "level" must be one of debug, info, warn, error.',
  );
});

describe('The published browser file', () => {
  it.each(['browser.js', 'browser.cjs'])('%s has less than 3.3 kB after gzip and imports nothing', (file) => {
    const text = readFileSync(join(DIST, file), 'utf8');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThanOrEqual(3_300);
    expect(text).not.toMatch(/\bimport\b|\brequire\(/);
  });

  it('does nothing during server-side rendering', () => {
    const program = `import { createLogger } from ${JSON.stringify(join(DIST, 'browser.js'))};
      const log = createLogger({ captureErrors: true, context: { a: 1 } });
      log.child({ b: 2 }).info('x');
      await log.flush();
      console.log(JSON.stringify(log.stats));`;
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({ logged: 0, delivered: 0, beaconed: 0, pending: 0, dropped: 0 });
  });
});
