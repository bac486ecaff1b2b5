import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { eventually } from '../../helpers/eventually.ts';
import { RecipeProject, type RecipeRun, readRecipes } from './recipe-project.ts';

const NO_TELEMETRY = { NEXT_TELEMETRY_DISABLED: '1' };

/** Records leave the process only after a response or on exit: no timer sends them. */
const NO_TIMER = { LOGSCALE_FLUSH_INTERVAL_MS: '3600000' };

/** A platform that waits for work after a response, as documented for `after` of Next.js. */
const PLATFORM = `globalThis[Symbol.for('@next/request-context')] = { get: () => ({ waitUntil: (work) => void work }) };`;

const LOGGERS = {
  'lib/pino.ts': `
import { createLogging } from 'logclient/next';
import { createPinoStream } from 'logclient/pino';
import pino from 'pino';

export const { log, withLogging, withProxyLogging, register, onRequestError } = createLogging({
  logger: () => pino(createPinoStream({ tags: { service: 'orders' } })),
});
`,
  'lib/winston.ts': `
import { createLogging } from 'logclient/next';
import LogTransport from 'logclient/winston';
import winston from 'winston';

export const { log, withLogging } = createLogging({
  logger: () =>
    winston.createLogger({
      transports: [new LogTransport({ worker: false, tags: { service: 'orders' } })],
    }),
});
`,
  'app/loggers/route.ts': `
    import { log as pino, withLogging as withPino } from '../../lib/pino';
    import { log as winston, withLogging as withWinston } from '../../lib/winston';

    export const GET = withPino(
      withWinston(() => {
        pino.child({ cart: 'c-1' }).warn('logged by pino', new Error('two left'));
        winston.child({ cart: 'c-1' }).warn('logged by winston', new Error('two left'));
        return new Response();
      }),
    );`,
  // The build checks these types.
  'lib/types.ts': `
    import type { Instrumentation } from 'next';
    import { type NextFetchEvent, type NextRequest, NextResponse } from 'next/server';
    import { onRequestError, withLogging, withProxyLogging } from './logging';

    export const hook: Instrumentation.onRequestError = onRequestError;
    export const proxy = withProxyLogging((request: NextRequest, event: NextFetchEvent) => {
      event.waitUntil(Promise.resolve());
      return request.nextUrl.pathname === '/old' ? NextResponse.redirect(request.url) : undefined;
    });
    export const next = withProxyLogging(async (request) => NextResponse.next({ request }));
    export const response: Promise<NextResponse<{ id: number }>> = withLogging(() =>
      NextResponse.json({ id: 1 }),
    )(new Request('http://localhost'));
    // @ts-expect-error A route handler returns a response.
    export const wrong = withLogging(() => 'text');`,
  'app/prebuilt/page.tsx': `
    import { log } from '../../lib/logging';

    export default function Page() {
      log.info('prebuilt rendered');
      return <p>prebuilt</p>;
    }`,
};

const CACHED = {
  'next.config.ts': 'export default { cacheComponents: true, partialPrefetching: false };',
  'app/stores/[id]/page.tsx': `
    import { log } from '../../../lib/logging';

    export const generateStaticParams = () => [{ id: 'oslo' }];

    export default async function Page({ params }: { params: Promise<{ id: string }> }) {
      const { id } = await params;
      log.info('store rendered', { id });
      return <p>{id}</p>;
    }`,
};

/** Next.js redirects requests of every path without a final slash. */
const SLASHES = { 'next.config.ts': 'export default { trailingSlash: true };' };

const BROKEN = {
  'app/broken/page.tsx': `
    'use client';

    import { useState } from 'react';

    export default function Page() {
      const [isBroken, setIsBroken] = useState(false);
      if (isBroken) throw new TypeError('no price');
      return <button onClick={() => setIsBroken(true)}>Break</button>;
    }`,
};

const EDGE = {
  'app/edge/route.ts': `
    import { log } from '../../lib/logging';

    export const runtime = 'edge';

    export function GET() {
      try {
        log.info('never sent');
        return new Response();
      } catch (error) {
        return new Response(String(error));
      }
    }`,
};

/** Records caused by each request of {@link callApp}: its ID and the message. */
const RECORDS = [
  'r-1 order counted',
  'r-1 order read',
  'r-1 request handled',
  'r-1 request received',
  'r-2 no stock',
  'r-2 order received',
  'r-2 request handled',
  'r-2 request received',
  'r-3 checkout shown',
  'r-3 request received',
  'r-4 no cart',
  'r-4 request received',
  'r-5 card declined',
  'r-5 payment started',
  'r-5 request received',
  'r-6 logged by pino',
  'r-6 logged by winston',
  'r-6 request handled',
  'r-6 request handled',
  'r-6 request received',
  'r-7 page shown',
];

/** Of the last request, right before the server is stopped. */
const LAST_RECORDS = RECORDS.slice(0, 4).map((record) => record.replace('r-1', 'r-9'));

describe('Next.js example', { timeout: 300_000 }, () => {
  let project: RecipeProject;

  beforeAll(async () => {
    const recipes = (await readRecipes()).filter(({ name }) => name === 'nextjs');
    project = await RecipeProject.install(recipes, ['pino', 'winston']);
  }, 300_000);

  afterAll(() => project?.[Symbol.asyncDispose]());

  const startServer = async (): Promise<LocalServer> => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    return server;
  };

  const build = async (script: string, files: Readonly<Record<string, string>>): Promise<string> => {
    await rm(project.path('nextjs', '.next'), { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      const path = project.path('nextjs', name);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      onTestFinished(() => rm(path));
    }
    // As in a pipeline, without tokens.
    const run = project.start('nextjs', script, NO_TELEMETRY);
    expect([await run.exit(), run.output]).toEqual([[0, null], expect.any(String)]);
    return run.output;
  };

  const start = async (
    server: LocalServer,
    env: Record<string, string> = {},
  ): Promise<[string, RecipeRun]> => {
    const { url, ingestToken } = server;
    const service = { LOGSCALE_URL: url, LOGSCALE_INGEST_TOKEN: ingestToken };
    const run = project.start('nextjs', 'start', {
      ...NO_TELEMETRY,
      ...NO_TIMER,
      ...service,
      PORT: '0',
      ...env,
    });
    onTestFinished(() => void run.child.kill('SIGKILL'));
    return [await readyUrl(run), run];
  };

  it('delivers every record once with Turbopack and Cache Components, also those before SIGTERM', async () => {
    const output = await build('build', { ...LOGGERS, ...CACHED });
    expect(output).toContain('prebuilt rendered');
    const server = await startServer();
    const client = clientOf(server);
    const [url, run] = await start(server);
    await callApp(url);
    // Rendered and stored by this request.
    expect((await fetch(`${url}/stores/rome`)).status).toBe(200);
    await client.waitFor('message="store rendered" id=rome', 1);
    await clickInPage(url, client);
    await callLast(url);
    const [code] = await run.stop();

    expect([0, 143]).toContain(code);
    expect(run.output).not.toContain('logclient:');
    expect(await recordsOf(client)).toEqual([...RECORDS, ...LAST_RECORDS].sort());
    await expectDetails(client);
  });

  it('delivers every record once with webpack, before a platform with waitUntil can freeze the process', async () => {
    await build('build:webpack', { ...LOGGERS, ...EDGE, ...SLASHES, ...BROKEN });
    const server = await startServer();
    const client = clientOf(server);
    const preload = `data:text/javascript,${encodeURIComponent(PLATFORM)}`;
    const [url, run] = await start(server, { NODE_OPTIONS: `--import ${preload}` });
    await callApp(url);
    await eventually(async () => expect(await recordsOf(client)).toEqual(RECORDS));
    expect(await (await fetch(`${url}/edge`)).text()).toMatch(/^Error: logclient\/next needs Node\.js/);
    const page = await clickInPage(url, client, '/');
    await expectDetails(client, '/');
    await page.goto(`${url}/broken`);
    await page.getByRole('button', { name: 'Break' }).click();
    await page.getByText('Something went wrong').waitFor();
    const [rendered] = await client.waitFor('message="no price"', 1);
    expect(rendered).toMatchObject({
      '#source': 'browser',
      'error.name': 'TypeError',
      url: `${url}/broken/`,
    });
    await run.stop();

    expect(run.output).not.toContain('logclient:');
    expect(await recordsOf(client)).toEqual(RECORDS);
  });

  it('prints records and receives those of pages during next dev without any settings', async () => {
    const run = project.start('nextjs', 'dev', { ...NO_TELEMETRY, PORT: '0' });
    onTestFinished(() => void run.child.kill('SIGKILL'));
    const url = await readyUrl(run);
    for (let n = 0; n < 2; n++) {
      expect((await fetch(`${url}/orders/o-${n}`)).status).toBe(200);
      const headers = { origin: url, 'content-type': 'text/plain' };
      const response = await fetch(`${url}/logs`, { method: 'POST', headers, body: '{"records":[]}' });
      expect(response.status).toBe(204);
    }
    await eventually(() => expect(run.output.match(/order read/g)).toHaveLength(2));
    expect(run.output).toContain('Records are dropped');
    expect(run.child.exitCode).toBeNull();
    await run.stop();
  });
});

function readyUrl(run: RecipeRun): Promise<string> {
  return eventually(() => /http:\S+(?=\s[\s\S]*Ready)/.exec(run.output)?.[0] ?? expect.fail(run.output));
}

function clientOf({ url, repository, userToken }: LocalServer): LogClient {
  return new LogClient({ baseUrl: url, repository, userToken });
}

/** One request per way of logging. */
async function callApp(url: string): Promise<void> {
  const call = async (id: string, path: string, init: RequestInit = {}) => {
    const headers = { 'x-request-id': id, authorization: 'Bearer s3cr3t', ...init.headers };
    const response = await fetch(`${url}${path}`, { ...init, headers });
    return { status: response.status, text: await response.text() };
  };
  expect(await call('r-1', '/orders/o-1')).toEqual({ status: 200, text: '{"id":"o-1"}' });
  expect(await call('r-2', '/orders?store=oslo', { method: 'POST' })).toMatchObject({ status: 500 });
  const { text } = await call('r-3', '/checkout?cart=c-1');
  await call('r-4', '/checkout');
  const action = /\$ACTION_ID_([0-9a-f]+)/.exec(text)?.[1] ?? expect.fail(text);
  const headers = { 'next-action': action, 'content-type': 'text/plain;charset=UTF-8' };
  await call('r-5', '/checkout?cart=c-1', { method: 'POST', body: '[]', headers });
  await call('r-6', '/loggers');
  // Like a page with logclient/browser.
  const record = {
    timestamp: Date.now(),
    level: 'info',
    message: 'page shown',
    fields: { requestId: 'r-7' },
  };
  const page = { origin: url, 'content-type': 'application/json' };
  const body = JSON.stringify({ records: [record] });
  expect(await call('r-7', '/logs', { method: 'POST', headers: page, body })).toMatchObject({ status: 204 });
}

/** Logs in a browser page. */
async function clickInPage(url: string, client: LogClient, slash = ''): Promise<Page> {
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`${url}/checkout?cart=c-2`, { waitUntil: 'networkidle' });
  await page.getByRole('button', { name: 'Pay' }).click();
  const [row] = await client.waitFor('message="pay clicked"', 1);
  expect(row).toMatchObject({
    '#service': 'orders',
    '#source': 'browser',
    level: 'info',
    url: `${url}/checkout${slash}`,
  });
  return page;
}

async function callLast(url: string): Promise<void> {
  await (await fetch(`${url}/orders/o-9`, { headers: { 'x-request-id': 'r-9' } })).text();
}

/** Records of requests with an ID of the test. */
async function recordsOf(client: LogClient): Promise<string[]> {
  const rows = await client.query('#service=orders requestId=/^r-/ | text := coalesce([msg, message])');
  return rows.map(({ requestId, text }) => `${requestId} ${text}`).sort();
}

async function expectDetails(client: LogClient, slash = ''): Promise<void> {
  const find = async (query: string): Promise<object | undefined> => (await client.query(query))[0];
  expect(await find('requestId="r-1" message="request handled"')).toMatchObject({
    level: 'info',
    'http.method': 'GET',
    'http.path': `/orders/o-1${slash}`,
    'http.status': '200',
    durationMs: expect.stringMatching(/^\d+$/),
  });
  expect(await find('requestId="r-2" message="request handled"')).toMatchObject({
    level: 'error',
    'http.path': `/orders${slash}`,
    'http.status': '500',
  });
  expect(await find('message="no stock"')).toMatchObject({
    level: 'error',
    'error.stack': expect.stringMatching(/^Error: no stock\n +at /),
    'error.cause.message': 'store oslo is closed',
    'http.method': 'POST',
    'http.path': `/orders${slash}`,
    routerKind: 'App Router',
    routePath: '/orders',
    routeType: 'route',
  });
  expect(await find('message="no cart"')).toMatchObject({
    'error.digest': expect.stringMatching(/^\d+$/),
    routePath: '/checkout',
    routeType: 'render',
    renderSource: 'react-server-components',
  });
  expect(await find('message="page shown"')).toMatchObject({ '#source': 'browser', userAgent: 'node' });
  expect(await find('message="card declined"')).toMatchObject({ routeType: 'action' });
  expect(await find('msg="logged by pino"')).toMatchObject({
    level: 'warn',
    cart: 'c-1',
    'err.message': 'two left',
  });
  expect(await find('message="logged by winston"')).toMatchObject({
    cart: 'c-1',
    'error.message': 'two left',
  });
  expect(await client.query('"s3cr3t" or "never sent" or "prebuilt rendered" | count()')).toEqual([
    { _count: '0' },
  ]);
}
