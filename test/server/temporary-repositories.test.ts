import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';

const PATH = '/api/v1/temporary-repositories';
const MINUTE_MS = 60_000;

async function start(options: Parameters<typeof startLocalServer>[0] = {}): Promise<LocalServer> {
  const server = (await startLocalServer(options)) as LocalServer;
  onTestFinished(() => server.close());
  return server;
}

function call(
  server: LocalServer,
  method: string,
  path: string,
  body?: string | Uint8Array<ArrayBuffer>,
  token = server.userToken,
): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    body: body ?? null,
  });
}

async function create(server: LocalServer, fileName: string): Promise<string> {
  const response = await call(server, 'POST', PATH, JSON.stringify({ fileName }));
  expect(response.status).toBe(200);
  return ((await response.json()) as { name: string }).name;
}

function linesPath(name: string): string {
  return `${PATH}/${encodeURIComponent(name)}/lines`;
}

async function open(server: LocalServer, content: string, fileName = 'app.log'): Promise<string> {
  const name = await create(server, fileName);
  expect((await call(server, 'POST', linesPath(name), content)).status).toBe(200);
  return name;
}

function query(server: LocalServer, name: string): Promise<Response> {
  const body = JSON.stringify({ queryString: 'count()', start: 0 });
  return fetch(`${server.url}/api/v1/repositories/${encodeURIComponent(name)}/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.userToken}`,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body,
  });
}

const LINE = '{"level":30,"time":1700000000000,"msg":"started"}\n';

describe('A temporary repository', () => {
  it('has the lines of a file, whose times and levels are read', async () => {
    const server = await start();
    const name = await create(server, 'app.log');
    const stack = '2026-01-03T09:00:00Z TypeError: x\n    at main (app.js:1:2)\n\n';
    const response = await call(server, 'POST', linesPath(name), `${LINE}${stack}`);
    expect(await response.json()).toEqual({ lines: 2, withoutTime: 0, evicted: 0 });
    const time = String(Date.UTC(2026, 0, 3, 9));
    expect(server.inspect.events(name)).toMatchObject([
      { '@timestamp': '1700000000000', level: 'info', msg: 'started' },
      { '@timestamp': time, '@rawstring': stack.trimEnd() },
    ]);
    expect(await (await query(server, name)).json()).toEqual([{ _count: '2' }]);
  });

  it('holds more lines than the other repositories', async () => {
    const server = await start({ maxEvents: 10 });
    const name = await create(server, 'big.log');
    const text = Array.from({ length: 60_000 }, (_, n) => `{"time":${1_700_000_000_000 + n},"n":${n}}`);
    const response = await call(server, 'POST', linesPath(name), text.join('\n'));
    expect(await response.json()).toEqual({ lines: 60_000, withoutTime: 0, evicted: 0 });
    expect(await (await query(server, name)).json()).toEqual([{ _count: '60000' }]);
  });

  it('reads a file that is compressed with gzip', async () => {
    const server = await start();
    const name = await create(server, 'app.log.1.gz');
    const body = gzipSync(LINE.repeat(5000));
    const response = await call(server, 'POST', linesPath(name), new Uint8Array(body));
    expect(await response.json()).toMatchObject({ lines: 5000 });
  });

  it('has a valid name that is not in use', async () => {
    const server = await start({ repository: 'App.log' });
    const names: string[] = [];
    for (const wanted of ['app.log', 'app.log', '../../etc/passwd', '日本.log', '…', '.', ' a '])
      names.push(await create(server, wanted));
    expect(names).toEqual(['app.log 2', 'app.log 3', 'etcpasswd', 'log', 'file', 'file 2', 'a']);
    expect(await create(server, 'x'.repeat(5000))).toBe('x'.repeat(90));
  });

  it('tags the lines of several files with their names', async () => {
    const server = await start();
    const name = await create(server, 'files');
    for (const file of ['a.log', 'b.log'])
      await call(server, 'POST', `${linesPath(name)}?file=${file}`, LINE);
    expect(server.inspect.events(name).map((event) => event['#file'])).toEqual(['a.log', 'b.log']);
  });

  it('is deleted ten minutes after it was last used, and a query says so', async () => {
    const server = await start({ now: 0 });
    const name = await open(server, LINE);
    server.clock.advance(9 * MINUTE_MS);
    expect((await query(server, name)).status).toBe(200);
    server.clock.advance(9 * MINUTE_MS);
    expect((await query(server, name)).status).toBe(200);
    server.clock.advance(10 * MINUTE_MS);
    await expect.poll(() => query(server, 'sandbox').then(() => exists(server, name))).toBe(false);
    const response = await query(server, name);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('This file was closed after ten minutes without use');
  });

  it('is deleted after its page was closed, but not if the page was reloaded', async () => {
    const server = await start({ now: 0 });
    const [reloaded, closed] = [await open(server, LINE), await open(server, LINE)];
    for (const name of [reloaded, closed])
      expect((await call(server, 'DELETE', `${PATH}/${encodeURIComponent(name)}`)).status).toBe(204);
    // The page deletes its jobs when it is closed, which is no use of the repository.
    await call(server, 'DELETE', `/api/v1/repositories/${encodeURIComponent(closed)}/queryjobs/none`);
    expect((await query(server, reloaded)).status).toBe(200);
    server.clock.advance(11_000);
    await expect.poll(() => exists(server, closed)).toBe(false);
    expect(exists(server, reloaded)).toBe(true);
  });

  it('is never saved', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'logclient-'));
    onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
    const server = await start({ dataDir });
    const name = await open(server, LINE);
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => file.includes(name))).toEqual([]);
  });

  it('is deleted if its file is not read to its end', async () => {
    const server = await start();
    const name = await create(server, 'app.log');
    const { port } = new URL(server.url);
    const upload = request({
      port,
      method: 'POST',
      path: linesPath(name),
      headers: { authorization: `Bearer ${server.userToken}` },
    });
    upload.on('error', () => {});
    upload.write(LINE);
    await expect.poll(() => server.inspect.store(name).events).toBe(1);
    upload.destroy();
    await expect.poll(() => exists(server, name)).toBe(false);
  });

  it.each([
    ['no lines', '\n \n', 'The file has no lines.'],
    ['other bytes than text', 'P\0N\0G\0\r\0I\0H\0D\0R', 'This is not a text file in UTF-8.'],
    ['damaged gzip', Uint8Array.of(0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8), "The file can't be read: "],
  ])('is deleted if the file has %s, which the response says', async (_, content, reason) => {
    const server = await start();
    const name = await create(server, 'app.log');
    const response = await call(server, 'POST', linesPath(name), content);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(reason)]);
    expect(exists(server, name)).toBe(false);
  });

  it('needs the user token', async () => {
    const server = await start();
    const name = await open(server, LINE);
    const calls = [
      ['POST', PATH],
      ['POST', linesPath(name)],
      ['DELETE', `${PATH}/${name}`],
    ] as const;
    for (const token of [server.ingestToken, 'wrong'])
      for (const [method, path] of calls)
        expect((await call(server, method, path, undefined, token)).status).toBeOneOf([401, 403]);
  });

  it('never takes lines in place of another repository', async () => {
    const server = await start();
    const response = await call(server, 'POST', linesPath('sandbox'), LINE);
    expect(response.status).toBe(404);
    expect((await call(server, 'DELETE', `${PATH}/sandbox`)).status).toBe(204);
    expect(server.inspect.store('sandbox').events).toBe(0);
  });
});

function exists(server: LocalServer, name: string): boolean {
  try {
    server.inspect.store(name);
    return true;
  } catch {
    return false;
  }
}
