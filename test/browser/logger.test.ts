import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import {
  createIngestHandler,
  type IngestHandlerOptions,
  toNodeHandler,
} from '../../transports/web/ingest-handler/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { openLink, openProfile } from './browser.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CLIENT = join(ROOT, 'dist/browser.js');

const PAGE = `<!doctype html><title>Test</title><link rel="icon" href="data:,">
<script>window.fail = () => { throw new Error('outer', { cause: new TypeError('inner') }); }</script>
<script type="module">
  import { createLogger } from '/client.js';
  window.createLogger = createLogger;
</script>`;

/** Ways of a website to send a request elsewhere. */
const REDIRECTS: Readonly<Record<string, [status: number, location: string]>> = {
  '/permanent': [308, '/temporary'],
  '/temporary': [307, '/logs'],
  '/slash': [301, '/logs'],
  '/expired': [302, '/login?next=%2Fexpired'],
  '/elsewhere': [308, '//evil.example:PORT/logs'],
};

/** A website whose pages have `createLogger`, and whose handler sends to a local server. */
async function startSite(options: IngestHandlerOptions = {}) {
  const service = await startLocalServer();
  const handler = createIngestHandler({
    baseUrl: service.url,
    ingestToken: service.ingestToken,
    flushIntervalMs: 10,
    ...options,
  });
  const receive = toNodeHandler(handler);
  const server = createServer(async (request, response) => {
    site.hosts.add(request.headers.host!);
    if (request.url === '/logs') {
      await site.beforeLogs;
      return receive(request, response);
    }
    const redirect = REDIRECTS[request.url!];
    if (redirect !== undefined) {
      const location = redirect[1].replace('PORT', String(site.port));
      return response.writeHead(redirect[0], { location }).end();
    }
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    if (request.url === '/csp') response.setHeader('content-security-policy', "connect-src 'none'");
    response.end(isClient ? await readFile(CLIENT) : PAGE);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await handler.ingester.close();
    await service.close();
  });
  const { port } = server.address() as AddressInfo;
  const records = async (): Promise<Record<string, unknown>[]> => {
    await handler.ingester.flush();
    return service.inspect.events();
  };
  const lost = async (): Promise<number> =>
    (await records()).reduce((sum, event) => sum + Number(event.lostRecords ?? 0), 0);
  /** Records that pages have logged. */
  const logged = async () => (await records()).filter(({ lostRecords }) => lostRecords === undefined);
  /** The website handles no records before this. */
  const beforeLogs: Promise<void> = Promise.resolve();
  const url = `http://127.0.0.1:${port}`;
  const hosts = new Set<string>();
  const site = { handler, url, port, records, lost, logged, beforeLogs, hosts };
  return site;
}

type Site = Awaited<ReturnType<typeof startSite>>;

async function openTab(profile: BrowserContext, site: Site, path = '/'): Promise<Page> {
  const page = await profile.newPage();
  await page.goto(site.url + path);
  await page.waitForFunction('window.createLogger');
  return page;
}

/** Creates a logger in the page and logs records of this size. */
function logMany(page: Page, count: number, { bytes = 0, options = {} } = {}): Promise<unknown> {
  return page.evaluate(`
    window.log ??= createLogger({ flushIntervalMs: 600_000, ...${JSON.stringify(options)} });
    for (let n = 0; n < ${count}; n++) log.info('record ' + n, { text: 'x'.repeat(${bytes}) });`);
}

/** Opens a page, whose logger reports what earlier pages lost. */
async function visit(profile: BrowserContext, site: Site): Promise<void> {
  const page = await openTab(profile, site);
  await logMany(page, 0, { options: { flushIntervalMs: 1 } });
}

/**
 * Visits the site until this many records are delivered or reported. A browser can save a count after the next visit.
 */
async function visitUntil(profile: BrowserContext, site: Site, count: number): Promise<void> {
  const known = async () => (await site.logged()).length + (await site.lost());
  await visit(profile, site);
  await eventually(async () => {
    if ((await known()) < count) await visit(profile, site);
    expect(await known()).toBe(count);
  });
}

/** Closes a tab as users do, with its events. */
async function closeTab(page: Page): Promise<void> {
  await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
}

/** Leaves a page. A busy Chromium can end the process of a closed tab before it stores what the page has saved. */
async function leave(page: Page): Promise<void> {
  await page.goto('about:blank');
  await closeTab(page);
}

describe('createLogger() when the page ends', () => {
  it('delivers 100 records when the tab is closed', async () => {
    const site = await startSite();
    const profile = await openProfile();
    const page = await openTab(profile, site, '/cart?secret=1#x');
    await logMany(page, 100);
    await closeTab(page);
    await expect.poll(async () => (await site.logged()).length).toBe(100);
    const [record] = await site.logged();
    expect(record).toMatchObject({ '#source': 'browser', level: 'info', url: `${site.url}/cart` });
    expect(record!.userAgent).toContain('Chrome/');
  });

  it('delivers what fits into a beacon, and reports the number of lost records on a later visit', async () => {
    const site = await startSite();
    const profile = await openProfile();
    const page = await openTab(profile, site);
    let release = () => {};
    site.beforeLogs = new Promise((resolve) => {
      release = resolve;
    });
    await logMany(page, 100, { bytes: 2_000 });
    await leave(page);
    release();
    await visitUntil(profile, site, 100);
    // A request of 32 KB was in flight, which left 32 KB for the beacon.
    expect((await site.logged()).length).toBeGreaterThanOrEqual(28);
    expect(await site.lost()).toBeGreaterThan(60);
  });

  it('delivers all records when the user follows a link or reloads the page', async () => {
    const site = await startSite();
    const page = await openTab(await openProfile(), site);
    await logMany(page, 10);
    await page.goto(`${site.url}/other`);
    await page.waitForFunction('window.createLogger');
    await logMany(page, 10);
    await page.reload();
    await expect.poll(async () => (await site.logged()).length).toBe(20);
    expect(new Set((await site.logged()).map(({ url }) => url))).toEqual(
      new Set([`${site.url}/`, `${site.url}/other`]),
    );
  });

  it('reports records lost without a connection on a later visit', async () => {
    const site = await startSite();
    const profile = await openProfile();
    const page = await openTab(profile, site);
    await page.route('**/logs', (route) => route.abort());
    await logMany(page, 30);
    await page.evaluate('log.flush()');
    await leave(page);
    await visitUntil(profile, site, 30);
    expect(await site.lost()).toBe(30);
  });

  it('delivers each record of two tabs once or reports it as lost once', async () => {
    const site = await startSite();
    const profile = await openProfile();
    const tabs = await Promise.all([openTab(profile, site), openTab(profile, site)]);
    await Promise.all(tabs.map((tab) => logMany(tab, 100, { bytes: 2_000 })));
    await Promise.all(tabs.map(leave));
    await Promise.all([visit(profile, site), visit(profile, site)]);
    await visitUntil(profile, site, 200);
    const numbers = (await site.logged()).map(({ visitId, message }) => `${visitId} ${message}`);
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});

it('records logged offline are delivered when the browser is online again', async () => {
  const site = await startSite();
  const profile = await openProfile();
  const page = await openTab(profile, site);
  await profile.setOffline(true);
  await logMany(page, 50);
  await page.evaluate('log.flush()');
  expect(await page.evaluate('log.stats.pending')).toBe(50);
  await profile.setOffline(false);
  await expect.poll(async () => (await site.logged()).length).toBe(50);
  await expect
    .poll(() => page.evaluate('log.stats'))
    .toEqual({ logged: 50, delivered: 50, beaconed: 0, pending: 0, dropped: 0 });
});

it('records follow redirects of their own origin as POST requests, and none to another origin', async () => {
  const site = await startSite();
  const page = await openTab(await openProfile(), site);
  const warnings: string[] = [];
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
  for (const url of Object.keys(REDIRECTS)) {
    await page.evaluate(`(async () => {
      const log = createLogger({ url: '${url}' });
      log.info('${url}');
      await log.flush();
      window.stats = log.stats;
    })()`);
    const isDelivered = url === '/permanent' || url === '/temporary';
    expect([url, await page.evaluate('stats')]).toEqual([
      url,
      expect.objectContaining(isDelivered ? { delivered: 1 } : { pending: 1 }),
    ]);
  }
  expect((await site.logged()).map(({ message }) => message)).toEqual(['/permanent', '/temporary']);
  expect(warnings).toEqual([
    `logclient: records kept, because ${site.url}/logs responded with status 405.`,
    `logclient: records kept, because ${site.url}/login?next=%2Fexpired responded with status 200.`,
  ]);
  expect([...site.hosts]).toEqual([`127.0.0.1:${site.port}`]);
});

it('captureErrors logs an uncaught error with its stack, and an unhandled rejection with its cause', async () => {
  const site = await startSite();
  const page = await openTab(await openProfile(), site);
  await page.evaluate(`
    window.log = createLogger({ captureErrors: true });
    setTimeout(() => { throw new TypeError('boom'); });
    Promise.reject(new Error('late', { cause: new RangeError('deep') }));
    undefined;`);
  await expect.poll(() => page.evaluate('log.stats.logged')).toBe(2);
  await page.evaluate('log.flush()');
  const records = await site.logged();
  expect(records.find(({ origin }) => origin === 'error')).toMatchObject({
    level: 'error',
    message: 'Uncaught TypeError: boom',
    'error.name': 'TypeError',
    'error.stack': expect.stringContaining('at '),
  });
  expect(records.find(({ origin }) => origin === 'unhandledrejection')).toMatchObject({
    message: 'Unhandled rejection: late',
    'error.cause.name': 'RangeError',
    'error.cause.message': 'deep',
  });
});

it('captureErrors logs an error in a loop once per second, with the number of errors', async () => {
  const site = await startSite();
  const page = await openTab(await openProfile(), site);
  await page.evaluate(`
    for (let version = 1; version <= 3; version++) // As after hot reloading.
      window.log = createLogger({ captureErrors: true, flushIntervalMs: 1, context: { version } });
    window.thrown = 0;
    const loop = setInterval(() => {
      if (++thrown === 300) clearInterval(loop);
      throw new Error('again');
    });
    undefined;`);
  const count = async () =>
    (await site.logged()).reduce((sum, { repeated }) => sum + Number(repeated ?? 1), 0);
  await expect.poll(count, { timeout: 20_000 }).toBe(300);
  const records = await site.logged();
  expect(records.length).toBeLessThan(20);
  expect(new Set(records.map(({ version }) => version))).toEqual(new Set(['3']));
});

it('a page that may not send by its Content-Security-Policy is warned once, and another one reports its records', async () => {
  const site = await startSite();
  const profile = await openProfile();
  const page = await openTab(profile, site, '/csp');
  const warnings: string[] = [];
  page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
  await page.evaluate(`
    window.violations = 0;
    addEventListener('securitypolicyviolation', () => window.violations++);
    undefined;`);
  await logMany(page, 3);
  await page.evaluate('log.flush()');
  await expect
    .poll(() => warnings)
    .toEqual([`logclient: records kept, because ${site.url}/logs is blocked by the CSP.`]);
  await page.evaluate("dispatchEvent(new Event('online')); log.flush()");
  expect(await page.evaluate('[violations, log.stats.pending]')).toEqual([1, 3]);
  await leave(page);
  await visitUntil(profile, site, 3);
});

it('captureErrors reports errors without a stack, and no query string of the page', async () => {
  const site = await startSite();
  const page = await openTab(await openProfile(), site, '/inline?token=s3cr3t#s3cr3t');
  await page.evaluate(`
    window.log = createLogger({ captureErrors: true });
    setTimeout(fail);
    const media = new Audio('data:,');
    media.play();
    media.onerror = () => log.error('media', media.error);
    log.error('exception', new DOMException('no entry', 'NotFoundError'));
    indexedDB.open('x', 1).onsuccess = ({ target }) => {
      try { target.result.transaction('missing'); } catch (error) { log.error('database', { error }); }
    };
    try { history.pushState(null, '', 'https://other.example/'); } catch (error) { setTimeout(() => { throw error; }); }
    undefined;`);
  await expect.poll(() => page.evaluate('log.stats.logged')).toBe(6);
  await page.evaluate('log.flush()');
  const records = await site.logged();
  expect(JSON.stringify(records)).not.toContain('s3cr3t');
  expect(records.filter((one) => !one['error.message'])).toEqual([]);
  expect(records.map((one) => String(one['error.name'])).sort()).toEqual([
    'Error',
    'NotFoundError',
    'NotFoundError',
    'NotSupportedError',
    'SecurityError',
    'undefined', // A MediaError has no name.
  ]);
  expect(records.find((one) => one['error.cause.name'])).toMatchObject({
    'error.stack': expect.stringMatching(/at window\.fail \(http:\/\/127\.0\.0\.1:\d+\/inline:\d+:\d+\)/),
  });
});

describe('Pages of another origin', () => {
  /** Sends a record in every way a page can. */
  const sendForged = (page: Page, target: string): Promise<unknown> => {
    const body = JSON.stringify({ records: [{ timestamp: 1, level: 'error', message: 'forged' }] });
    return page.evaluate(`(async () => {
      const [url, body] = ${JSON.stringify([target, body])};
      const options = { method: 'POST', body, headers: { 'content-type': 'text/plain' } };
      await fetch(url, options).catch(() => {});
      await fetch(url, { ...options, mode: 'no-cors', referrerPolicy: 'no-referrer' });
      await fetch(url, { ...options, headers: { 'content-type': 'application/json' } }).catch(() => {});
      navigator.sendBeacon(url, body);
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', enctype: 'text/plain', target: '_blank', action: url });
      document.body.append(form);
      form.submit();
    })()`);
  };

  it('cannot log in any way if their origin is not in allowedOrigins', async () => {
    const site = await startSite();
    const page = await openLink(`http://evil.example:${site.port}`, {
      expected: /Failed to load|CORS policy/,
    });
    await sendForged(page, `${site.url}/logs`);
    await expect.poll(() => site.handler.stats.rejected.origin).toBe(5);
    expect(site.handler.stats).toMatchObject({ requests: 5, records: 0 });
    expect(await site.records()).toEqual([]);
  });

  it('can log if their origin is in allowedOrigins, also when they are closed', async () => {
    const pages = await startSite();
    const origin = `http://shop.example:${pages.port}`;
    const site = await startSite({ allowedOrigins: [origin] });
    const page = await openTab(await openProfile(), { ...pages, url: origin });
    await logMany(page, 10, { options: { url: `${site.url}/logs` } });
    await page.evaluate('log.flush()');
    expect(await page.evaluate('log.stats.delivered')).toBe(10);
    await logMany(page, 5);
    await closeTab(page);
    await expect.poll(async () => (await site.logged()).length).toBe(15);
  });
});

it('the app in examples/browser delivers the records that its buttons log', async () => {
  const service = await startLocalServer();
  onTestFinished(() => service.close());
  const env = { LOGSCALE_URL: service.url, LOGSCALE_INGEST_TOKEN: service.ingestToken, PORT: '0' };
  const program = join(ROOT, 'examples/browser/server.mjs');
  const app = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void app.kill('SIGKILL'));
  const lines = createInterface({ input: app.stdout })[Symbol.asyncIterator]();
  const page = await openLink((await lines.next()).value!, { expectedPageError: /crash button/ });
  await page.getByRole('button', { name: 'Add to cart' }).click();
  await page.getByRole('button', { name: 'Pay' }).click();
  await page.getByRole('button', { name: 'Crash' }).click();
  await expect.poll(() => page.locator('#cart').innerText()).toBe('1');
  await closeTab(page);
  // The last records can arrive after the tab has closed.
  await expect.poll(() => service.inspect.events().length).toBe(4);
  app.kill('SIGTERM');
  expect(JSON.parse((await lines.next()).value!)).toMatchObject({ records: 4, removedFields: 0 });
  const records = service.inspect.events();
  expect(records.map(({ level, message }) => [level, message])).toEqual([
    ['info', 'page opened'],
    ['info', 'item added'],
    ['error', 'payment failed'],
    ['error', 'Uncaught TypeError: the crash button was pressed'],
  ]);
  expect(records[2]).toMatchObject({
    '#service': 'shop',
    '#source': 'browser',
    release: '1.4.0',
    component: 'cart',
    items: '1',
    'error.cause.message': 'the wallet is empty',
  });
});
