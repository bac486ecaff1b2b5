import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';
import { ingest, post, stream } from './query-calls.ts';
import { type GraphqlTestAnswer, postGraphql } from './service-calls.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const NOW = Date.UTC(2026, 1, 3, 9);
const DAY_MS = 86_400_000;

let folder: string;
let servers: AsyncDisposable[];
let warnings: string[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'local-server-'));
  servers = [];
  warnings = [];
});
afterEach(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function start(options: LocalServerOptions = {}): Promise<LocalServer> {
  const server = await startLocalServer({
    dataDir: join(folder, 'data'),
    now: NOW,
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  servers.push(server);
  return server;
}

function numbered(from: number, count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => ({
    timestamp: NOW - 1000 + n,
    attributes: { n: from + n },
  }));
}

async function logFiles(): Promise<string[]> {
  const path = join(folder, 'data/repositories/sandbox/events');
  return (await readdir(path)).sort().map((name) => join(path, name));
}

describe('dataDir after a restart', () => {
  it('keeps events unchanged, and both tokens', async () => {
    const first = await start();
    const attributes = '{"__proto__": "p", "0": "zero", "seven": 7.0, "text": "line\\nline \\u2028 æ"}';
    const body = `[{"tags":{"a":"b"},"events":[{"timestamp":${NOW},"attributes":${attributes}}]}]`;
    expect((await post(first, 'ingest/humio-structured', body, { token: first.ingestToken })).status).toBe(
      200,
    );
    const before = await stream(first, '*');
    await first.close();
    const second = await start();
    expect(await stream(second, '*')).toEqual(before);
    expect(second.userToken).toBe(first.userToken);
    expect(second.ingestToken).toBe(first.ingestToken);
    await ingest(second, numbered(0, 1));
    const ids = second.inspect.events().map((event) => event['@id']);
    expect(new Set(ids).size).toBe(2);
    expect(warnings).toEqual([]);
  });

  it('keeps created repositories and forgets deleted ones', async () => {
    const first = await start();
    for (const name of ['kept one', 'gone']) {
      await postGraphql(first, {
        query: 'mutation($name: String!) { createRepository(name: $name) { repository { name } } }',
        variables: { name },
      });
      const body = JSON.stringify([{ events: numbered(0, 2) }]);
      expect((await post(first, `repositories/${encodeURIComponent(name)}/ingest`, body)).status).toBe(200);
    }
    await postGraphql(first, { query: 'mutation { deleteSearchDomain(name: "gone") { result } }' });
    await first.close();
    const second = await start();
    expect(second.inspect.store('kept one').events).toBe(2);
    expect(Object.keys(second.ingestTokens)).toEqual(second.inspect.repositories());
    expect(second.inspect.repositories().toSorted()).toEqual(['kept one', 'sandbox']);
    expect(() => second.inspect.store('gone')).toThrow('There is no repository "gone"');
  });

  it('replaces its stored tokens with the tokens in the options', async () => {
    const first = await start();
    await first.close();
    const second = await start({ userToken: 'my-user-token', ingestToken: 'my-ingest-token' });
    expect([second.userToken, second.ingestToken]).toEqual(['my-user-token', 'my-ingest-token']);
    await ingest(second, numbered(0, 1));
    const old = await post(second, 'ingest/raw', 'x', { token: first.ingestToken });
    expect(old.status).toBe(401);
  });
});

it('dataDir of an earlier version has all its events and settings', async () => {
  await cp(resolve(ROOT, 'test/fixtures/data-folder'), join(folder, 'data'), { recursive: true });
  const server = await start();
  const { events } = server.inspect.store();
  expect([events, server.ingestToken, warnings]).toEqual([66, 'example-ingest-token', []]);
  expect(await stream(server, 'nested.text=* | groupBy([level, #service])')).toEqual([
    { level: 'error', '#service': 'shop', _count: '32' },
    { level: 'info', '#service': 'shop', _count: '32' },
  ]);
  expect(await stream(server, 'user=eve | match(known.csv, field=ms, column=a, strict=false)')).toMatchObject(
    [{ ms: '9', '@rawstring': '2026-02-03T08:59:59Z user=eve ms=9' }],
  );
  const query = `{ users { username } organizations { name } repository(name: "other") { timeBasedRetention description }
    sandbox: repository(name: "sandbox") { parsers { name } ingestTokens { name parser { name } } files { nameAndPath { name } } }
    searchDomain(name: "both") { savedQueries { name } ... on View { connections { repository { name } } } } }`;
  const { data } = (await (await postGraphql(server, { query })).json()) as GraphqlTestAnswer;
  expect(data).toMatchObject({
    users: [{ username: 'developer' }, { username: 'ada' }],
    organizations: [{ name: 'SINGLE_ORGANIZATION_NAME' }, { name: 'org' }],
    repository: { timeBasedRetention: 10, description: 'Another' },
    sandbox: { ingestTokens: [{ parser: null }, { name: 'shipper', parser: { name: 'kv' } }] },
    searchDomain: { savedQueries: [{ name: 'q' }], connections: [{ repository: { name: 'other' } }] },
  });
  expect(data.sandbox.parsers.at(-1)).toEqual({ name: 'p' });
  expect(data.sandbox.files).toEqual([{ nameAndPath: { name: 'known.csv' } }]);
});

it('dataDir has all log records that were acknowledged by OTLP across restarts', async () => {
  const bodyOf = (sender: number): string => {
    const logRecords = Array.from({ length: 1000 }, (_, n) => ({
      timeUnixNano: `${NOW - n}000000`,
      body: { stringValue: `${sender}-${n}` },
    }));
    return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  };
  for (const senders of [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7],
  ]) {
    const server = await start();
    const token = server.ingestToken;
    const statuses = senders.map(
      async (sender) => (await post(server, 'ingest/otlp/v1/logs', bodyOf(sender), { token })).status,
    );
    expect(await Promise.all(statuses)).toEqual(senders.map(() => 200));
    await server.close();
  }
  const counted = await stream(await start(), 'count(message, distinct=true, as=texts) | texts=8000');
  expect(counted).toEqual([{ texts: '8000' }]);
});

describe('dataDir after an unclean exit', () => {
  it('has every event whose request was acknowledged before SIGKILL', async () => {
    const child = spawn(process.execPath, ['test/fixtures/local-server.mjs', join(folder, 'data')], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const server = await describedBy(child);
    let acknowledged = 0;
    const sending = (async () => {
      for (;;) {
        await ingest(server, numbered(acknowledged, 100));
        acknowledged += 100;
        if (acknowledged === 3000) child.kill('SIGKILL');
      }
    })();
    const ended = once(child, 'exit');
    await expect(sending).rejects.toThrow();
    await ended;
    const replayed = await start({ now: Date.now() });
    const found = new Set(replayed.inspect.events().map(({ n }) => Number(n)));
    expect(acknowledged).toBeGreaterThanOrEqual(3000);
    for (let n = 0; n < acknowledged; n++) expect(found.has(n)).toBe(true);
    expect(replayed.userToken).toBe(server.userToken);
  });

  it('cuts off and reports a torn last line, and keeps later events', async () => {
    await (await withEvents(10)).close();
    const [file = ''] = await logFiles();
    await appendFile(file, '{"@timestamp":"177010920000');
    const second = await start();
    expect(second.inspect.store().events).toBe(10);
    expect(warnings).toEqual([`${file}: cut off 27 bytes of an incomplete line with 1 event.`]);
    await ingest(second, numbered(10, 5));
    await second.close();
    warnings.length = 0;
    expect((await start()).inspect.store().events).toBe(15);
    expect(warnings).toEqual([]);
  });

  it('skips damaged lines and reports how many', async () => {
    await (await withEvents(10)).close();
    const [file = ''] = await logFiles();
    const lines = (await readFile(file, 'utf8')).split('\n');
    lines[3] = '\0\0\0\0';
    lines[5] = '{"@timestamp":"x"}';
    lines[7] = '{"@timestamp":"1","n":7}';
    await writeFile(file, lines.join('\n'));
    const second = await start();
    expect(second.inspect.events().map(({ n }) => n)).toEqual(['0', '1', '2', '4', '6', '8', '9']);
    expect(warnings).toEqual([`${file}: skipped 3 damaged lines with at least 3 events.`]);
  });

  it.skipIf(process.platform === 'win32')(
    'works as a copy that includes the lock of a running server',
    async () => {
      await withEvents(10);
      execFileSync('cp', ['-R', join(folder, 'data'), join(folder, 'copy')]);
      expect(await readdir(join(folder, 'copy'))).toContain('lock.sock');
      expect((await start({ dataDir: join(folder, 'copy') })).inspect.store().events).toBe(10);
    },
  );
});

describe('Files in dataDir', () => {
  it('are bounded by maxEvents: old files are deleted once enough newer events are stored', async () => {
    const server = await start({ maxEvents: 100 });
    for (let n = 0; n < 1000; n += 10) await ingest(server, numbered(n, 10));
    const files = await logFiles();
    let lines = 0;
    for (const file of files) lines += (await readFile(file, 'utf8')).split('\n').length - 1;
    expect(lines).toBeLessThan(300);
    expect(files.length).toBeLessThan(12);
    const before = server.inspect.events();
    await server.close();
    const replayed = (await start({ maxEvents: 100 })).inspect.events();
    expect(replayed.at(-1)).toEqual(before.at(-1));
  });

  it('survive a start with a smaller maxEvents', async () => {
    const first = await start({ maxEvents: 1000 });
    for (let n = 0; n < 1000; n += 20) await ingest(first, numbered(n, 20));
    await first.close();
    const small = await start({ maxEvents: 100 });
    expect(small.inspect.events().at(-1)?.n).toBe('999');
    expect(small.inspect.store().events).toBeLessThanOrEqual(100);
    expect(small.inspect.store().evicted).toBe(0);
    await small.close();
    const large = await start({ maxEvents: 1000 });
    expect(large.inspect.store().events).toBe(1000);
    expect(warnings).toEqual([]);
  });

  it('are used by only one server at a time', async () => {
    const server = await start();
    await expect(start()).rejects.toThrow(/"dataDir" .* is in use by another local server/);
    await server.close();
    await start();
  });

  it('keep the events of a smaller repository whatever their order of arrival', async () => {
    const server = await start({ maxEvents: 200 });
    const old = (from: number) =>
      numbered(from, 20).map((event) => ({ ...event, timestamp: NOW - 30 * DAY_MS }));
    await ingest(server, numbered(0, 200));
    const before = server.inspect.events();
    for (let from = 1000; from < 1200; from += 20) await ingest(server, old(from));
    expect(server.inspect.events()).toEqual(before);
    expect(server.inspect.rejections()).toEqual([
      expect.objectContaining({
        count: 200,
        reason: 'Not stored: newer events fill the memory, or the retention by size.',
      }),
    ]);
    await server.close();
    expect((await start({ maxEvents: 200 })).inspect.events()).toEqual(before);
  });

  it('are bounded when each of them has an event of the future', async () => {
    const server = await start({ maxEvents: 100 });
    for (let n = 0; n < 1000; n += 10) {
      const [first, ...others] = numbered(n, 10);
      const timestamp = n % 50 === 0 ? NOW + 365 * DAY_MS + n : NOW;
      await ingest(server, [{ ...first, timestamp }, ...others]);
    }
    let lines = 0;
    for (const file of await logFiles()) lines += (await readFile(file, 'utf8')).split('\n').length - 1;
    expect(lines).toBeLessThan(300);
    const before = server.inspect.events();
    await server.close();
    expect((await start({ maxEvents: 100 })).inspect.events()).toEqual(before);
  });

  it('cannot be stored when dataDir is a file: startLocalServer rejects with LOG_BAD_OPTION', async () => {
    const dataDir = join(folder, 'a-file');
    await writeFile(dataDir, '');
    await expect(startLocalServer({ dataDir })).rejects.toMatchObject({
      code: 'LOG_BAD_OPTION',
      message: expect.stringContaining(`${dataDir} can't be used (EEXIST)`),
    });
  });

  it('have the default repository of the last run, which is that of the server without the option', async () => {
    for (const repository of ['shop', undefined, 'billing', undefined]) {
      const server = await start(repository === undefined ? {} : { repository });
      await server.close();
    }
    const server = await start();
    expect(server.repository).toBe('billing');
    await ingest(server, numbered(0, 1));
    expect(server.inspect.events()).toHaveLength(1);
    const names = await readdir(join(folder, 'data/repositories'));
    expect(names.sort()).toEqual(['billing', 'shop']);
  });

  it('have the credentials of the options, which later starts without options use', async () => {
    const rotated = { userToken: 'mine', ingestToken: 'own' };
    for (const options of [{}, rotated, {}]) await (await start(options)).close();
    expect(await start()).toMatchObject(rotated);
  });

  it('make the start fail if they contain unreadable state, and are not overwritten', async () => {
    await (await withEvents(1)).close();
    const path = join(folder, 'data/user-token.json');
    await writeFile(path, '{ damaged');
    await expect(start()).rejects.toThrow(path);
    expect(await readFile(path, 'utf8')).toBe('{ damaged');
  });
});

describe('Failed write to dataDir', () => {
  it('returns 503 with the file and error code, and stores nothing; later events are stored', async () => {
    const server = await start();
    const events = join(folder, 'data/repositories/sandbox/events');
    await rm(events, { recursive: true });
    await writeFile(events, '');
    const body = JSON.stringify([{ events: numbered(0, 3) }]);
    const refused = await post(server, 'ingest/humio-structured', body, { token: server.ingestToken });
    const text = await refused.text();
    expect([refused.status, text]).toEqual([
      503,
      expect.stringMatching(/can't write .*00000001\.ndjson \(EEXIST\)/),
    ]);
    expect(server.inspect.store().events).toBe(0);
    const asJson = { token: server.ingestToken, headers: { accept: 'application/json' } };
    await post(server, 'ingest/humio-structured', body, asJson);
    expect(server.inspect.rejections()).toMatchObject([{ status: 503, reason: text, fix: '', count: 2 }]);
    expect(warnings).toEqual([]);
    await rm(events);
    await ingest(server, numbered(3, 2));
    await server.close();
    expect((await start()).inspect.events().map(({ n }) => n)).toEqual(['3', '4']);
  });

  it('is reported as a GraphQL error with the file and error code', async () => {
    const server = await start();
    await mkdir(join(folder, 'data/repositories/sandbox/saved-queries.json.new'));
    const query =
      'mutation { createSavedQuery(input: {name: "q", viewName: "sandbox", queryString: "*"}) { savedQuery { id } } }';
    const { errors } = (await (await postGraphql(server, { query })).json()) as GraphqlTestAnswer;
    expect(errors?.[0]?.message).toMatch(/can't write .*saved-queries\.json \(EISDIR\)/);
    expect(server.inspect.rejections()).toMatchObject([{ reason: errors?.[0]?.message, fix: '' }]);
    expect(warnings).toEqual([]);
  });

  it('makes the start fail with the file and error code', async () => {
    await (await start()).close();
    await rm(join(folder, 'data/user-token.json'));
    await mkdir(join(folder, 'data/user-token.json.new'));
    await expect(start()).rejects.toMatchObject({
      code: 'LOG_BAD_OPTION',
      message: expect.stringMatching(
        /the "dataDir" can't be used\. .* can't write .*user-token\.json \(EISDIR\)/,
      ),
    });
  });
});

async function withEvents(count: number): Promise<LocalServer> {
  const server = await start();
  await ingest(server, numbered(0, count));
  return server;
}

async function describedBy(child: ChildProcess): Promise<LocalServer> {
  servers.push({
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  });
  for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line);
  throw new Error('The child has ended before it said where it is.');
}

describe.skipIf(process.platform === 'win32')('Files and folders of a dataDir', () => {
  /** The permissions of everything in the data folder, without those of its owner. */
  async function openToOthers(): Promise<string[]> {
    const paths = await readdir(join(folder, 'data'), { recursive: true });
    const open: string[] = [];
    for (const path of ['.', ...paths]) {
      const { mode } = await stat(join(folder, 'data', path));
      if ((mode & 0o077) !== 0) open.push(`${path} ${(mode & 0o777).toString(8)}`);
    }
    return open;
  }

  it('are accessible only to their owner', async () => {
    const before = process.umask(0);
    try {
      const server = await start();
      await ingest(server, numbered(1, 3));
      expect(await openToOthers()).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  it('become accessible only to their owner if an earlier version has created them', async () => {
    const server = await start();
    await ingest(server, numbered(1, 3));
    await server.close();
    const data = join(folder, 'data');
    const paths = await readdir(data, { recursive: true, withFileTypes: true });
    for (const entry of paths) {
      await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o644);
    }
    await chmod(data, 0o755);
    await start();
    const state = (await openToOthers()).filter((path) => !path.includes('.json '));
    expect(state).toEqual([]);
  });

  it('leave other files and a folder for all users as they are', async () => {
    const data = join(folder, 'data');
    await mkdir(data);
    await writeFile(join(data, 'own.sh'), '');
    await chmod(join(data, 'own.sh'), 0o755);
    await chmod(data, 0o1777);
    const server = await start();
    await ingest(server, numbered(1, 1));
    expect(await openToOthers()).toEqual(['. 777', 'own.sh 755']);
  });
});
