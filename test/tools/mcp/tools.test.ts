import { readFileSync } from 'node:fs';
import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { check, functionList } from '../../../src/language/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { eventually } from '../../helpers/eventually.ts';
import { sendJson, startService } from '../../helpers/http-service.ts';
import { connectMcp } from '../../helpers/mcp-client.ts';
import { startServiceOfKind } from '../../helpers/service-kinds.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

const LANGUAGE_GUIDE = readFileSync(
  join(import.meta.dirname, '../../../skills/logclient/references/language.md'),
  'utf8',
);

beforeAll(() => void vi.setConfig({ testTimeout: 60_000 }));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

type Attributes = Readonly<Record<string, unknown>>;

/** A local server with events, one millisecond apart. */
async function serverWith(events: readonly Attributes[]): Promise<LocalServer> {
  const server = await startLocalServer({ port: await closedPort() });
  onTestFinished(() => server.close());
  await send(server, events);
  return server;
}

async function send(server: LocalServer, events: readonly Attributes[]): Promise<void> {
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  const first = Date.now() - events.length;
  const stamped = events.map((attributes, n) => ({ timestamp: first + n, attributes: attributes as never }));
  await client.ingestJsonData([{ events: stamped }]);
}

/** Connects with the variables of a server. */
async function connectTo(server: LocalServer) {
  return connectMcp({ env: accessTo(server) });
}

/** Connects with a file of these lines. */
async function connectFile(lines: readonly string[]) {
  const file = join(folder, 'app.log');
  await writeFile(file, lines.map((line) => `${line}\n`).join(''));
  return { file, ...(await connectMcp({ file })) };
}

/** The rows between the tags, without the header. */
function rowsOf(text: string): string[][] {
  const [, data = ''] = /<(?:log-data-\w+)>\n([\s\S]*?)\n<\/log-data-/.exec(text) ?? [];
  const lines = data.split('\n').filter((line) => line.includes('\t'));
  return lines.slice(1).map((line) => line.split('\t'));
}

const SHOP = [
  { level: 'info', service: 'shop', msg: 'order 1 placed', order: 'o-1', trace_id: 'abc123' },
  { level: 'info', service: 'shop', msg: 'order 2 placed', order: 'o-2', trace_id: 'def456' },
  { level: 'error', service: 'billing', msg: 'card declined', order: 'o-2', trace_id: 'def456' },
];

describe('logclient mcp', () => {
  it('lists six read-only tools', async () => {
    const { client } = await connectMcp();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      ['check_query', 'context', 'help', 'query', 'summary', 'tail_until'].sort(),
    );
    for (const { annotations, inputSchema } of tools) {
      expect(annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    expect(client.getInstructions()).toContain('untrusted');
  });

  it('uses a local server that starts later, and reports it once on stderr', async () => {
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), LOGCLIENT_DISCOVERY: '' };
    const { call, stderr } = await connectMcp({ env });
    const before = await call('summary');
    expect(before).toMatchObject({ isError: true, text: expect.stringContaining('npx logclient serve') });
    const server = await serverWith(SHOP);
    await writeStateFile(env.XDG_STATE_HOME, stateOf(server));
    expect((await call('summary')).text).toContain('3 events');
    await call('summary');
    expect(stderr().match(/using the local server at/g)).toHaveLength(1);
  });

  it('reports that no local server is running when it stops, and uses the next one', async () => {
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), LOGCLIENT_DISCOVERY: '' };
    const first = await serverWith(SHOP);
    await writeStateFile(env.XDG_STATE_HOME, stateOf(first));
    const { call } = await connectMcp({ env });
    expect((await call('query', { query: 'count()' })).isError).toBe(false);
    await first.close();
    expect(await call('query', { query: 'count()' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('no local server is running'),
    });
    const second = await serverWith([...SHOP, ...SHOP]);
    await writeStateFile(env.XDG_STATE_HOME, stateOf(second));
    expect(rowsOf((await call('query', { query: 'groupBy(level)' })).text)).toEqual([
      ['error', '2'],
      ['info', '4'],
    ]);
  });

  it('names the address if the configured service has stopped', async () => {
    const server = await serverWith(SHOP);
    const { call } = await connectTo(server);
    await server.close();
    const { text, isError } = await call('summary', { show: 'fields' });
    expect(isError).toBe(true);
    expect(text).toContain(`nothing is listening at ${server.url}`);
  });

  it('rejects --token-file -, and --file together with --url', async () => {
    expect(await runCommand(['mcp', '--token-file', '-'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin belongs to the protocol'),
    });
    expect(await runCommand(['mcp', '--file', 'app.log', '--url', 'http://127.0.0.1:9'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--file can't be combined"),
    });
  });

  it('has the language guide and every function as resources', async () => {
    const { client } = await connectMcp();
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(functionList().length + 1);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0] as { text: string };
    expect((await read('logclient://query-language')).text).toBe(LANGUAGE_GUIDE);
    expect((await read('logclient://functions/array%3Alength')).text).toMatch(/^array:length\(/);
    await expect(read('logclient://functions/nothing')).rejects.toThrow('no function "nothing"');
  });

  it('has a prompt for finding the error behind a failing test', async () => {
    const { client } = await connectMcp();
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['find_error_behind_failing_test']);
    const args = { test: 'pays with a card', output: 'expected 200, got 500' };
    const { messages } = await client.getPrompt({ name: prompts[0]!.name, arguments: args });
    expect((messages[0]!.content as { text: string }).text).toMatch(
      /pays with a card[\s\S]*got 500[\s\S]*summary/,
    );
  });
});

describe('LANGUAGE_GUIDE', () => {
  it('contains only queries without problems', () => {
    const [queries] = LANGUAGE_GUIDE.split('## Not in this language');
    const lines = queries!
      .split('## Filter')[1]!
      .split('\n\n')
      .flatMap((part) => part.split('\n'));
    const found = lines.filter((line) => /[=()"]/.test(line) && !/^[A-Z#]/.test(line));
    expect(found.length).toBeGreaterThan(25);
    expect(found.flatMap((query) => check(query).map(({ message }) => `${query}: ${message}`))).toEqual([]);
  });
});

describe('query tool', () => {
  it('returns events newest first, and values that are the same in all rows once', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('query', { query: 'order=o-2' });
    expect(text).toContain('same in all rows: order=o-2 trace_id=def456\n');
    expect(text).toMatch(/\nref\t@timestamp\tlevel\tservice\tmsg\n/);
    expect(rowsOf(text).map(([, , ...rest]) => rest)).toEqual([
      ['error', 'billing', 'card declined'],
      ['info', 'shop', 'order 2 placed'],
    ]);
    expect(text).toContain('Rows 1 to 2 of 2, newest first.');
  });

  it('returns each row once across cursors while new events arrive', async () => {
    const events = Array.from({ length: 450 }, (_, n) => ({ n, msg: `event ${n}` }));
    const server = await serverWith(events);
    const { call } = await connectTo(server);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { text } = await call('query', {
        query: '*',
        fields: ['n'],
        maxTokens: 1_200,
        ...(cursor && { cursor }),
      });
      seen.push(...rowsOf(text).map(([, n]) => n!));
      cursor = /cursor="([^"]+)"/.exec(text)?.[1];
      await send(server, [{ n: 'late' }]);
    } while (cursor !== undefined);
    expect(seen).toEqual(events.map(({ n }) => String(n)).reverse());
  });

  it('shows only the requested fields, in full if they fit', async () => {
    const stack = `Error: no\n${'    at here\n'.repeat(100)}`;
    const { call } = await connectTo(await serverWith([{ level: 'error', stack, other: 'x' }]));
    const { text } = await call('query', { query: '*', fields: ['stack'] });
    expect(rowsOf(text)[0]![1]).toBe(stack.replaceAll('\n', '\\n'));
    expect(text).not.toContain('other');
  });

  it('omits intervals without events', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('query', { query: 'timeChart(level, span=1m)', start: '1h' });
    expect(rowsOf(text).length).toBeLessThanOrEqual(4);
    expect(text).toContain('Intervals without events are left out.');
  });

  it('suggests the nearest field name if nothing matches', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('query', { query: 'levle=error' });
    expect(text).toContain('The time range has 3 events, and none matches.');
    expect(text).toContain('No recent event has the field "levle". Did you mean "level"?');
  });

  it('suggests the nearest field name if the only group is of events without the field', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const hint = 'No recent event has the field "lvel". Did you mean "level"?';
    expect((await call('query', { query: 'groupBy(lvel)' })).text).toContain(hint);
    expect((await call('query', { query: 'groupBy(lvel) | count()' })).text).not.toContain(hint);
  });

  it('suggests a longer time range if there are no events', async () => {
    const { call } = await connectTo(await serverWith([]));
    expect((await call('query', { query: 'level=error' })).text).toContain('start="7d"');
  });

  it('queries another repository, and reports one that does not exist', async () => {
    const server = await startLocalServer({ repositories: ['other'] });
    onTestFinished(() => server.close());
    await send(server, SHOP);
    const { call } = await connectTo(server);
    expect((await call('query', { query: '*', repository: 'other' })).text).toContain('repository other');
    expect((await call('query', { query: '*', repository: 'missing' })).text).toContain(
      'no repository "missing"',
    );
  });

  it('accepts 0 as the start of all time', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    expect((await call('query', { query: '*', start: 0 })).isError).not.toBe(true);
  });

  it.each([
    [{}, /"query" is missing\. Query in the LogScale query language/],
    [{ qery: '*' }, /there is no argument "qery"\. Did you mean "query"\?/],
    [{ query: '*', maxTokens: 10 }, /maxTokens/],
    [{ query: '*', start: 'soon' }, /"start" must be a relative time such as "15m"/],
    [{ query: '*', start: '2026-11-20', end: '2026-11-19' }, /"start" must be before "end"/],
    [{ query: '*', cursor: 'next' }, /"cursor" must be copied/],
  ])('explains the invalid arguments %j', async (args, message) => {
    const { call } = await connectTo(await serverWith(SHOP));
    expect(await call('query', args)).toMatchObject({ isError: true, text: expect.stringMatching(message) });
  });
});

describe('Invalid query', () => {
  it('is never sent to the service if its syntax is invalid', async () => {
    const service = await startService((_, response) => sendJson(response, {}));
    const env = { LOGSCALE_URL: service.url, LOGSCALE_TOKEN: 'a-user-token', LOGSCALE_REPOSITORY: 'r' };
    const { call } = await connectMcp({ env });
    for (const [tool, argument] of [
      ['query', 'query'],
      ['summary', 'query'],
      ['tail_until', 'query'],
      // Another name for it.
      ['summary', 'filter'],
      ['query', 'filter'],
    ] as const) {
      const { text, isError } = await call(tool, { [argument]: 'level=error | groupBy(' });
      expect(isError).toBe(true);
      expect(text).toMatch(/line 1, column 23[\s\S]*\^/);
    }
    expect(service.calls).toEqual([]);
  });

  it('with an unknown function is sent to a service, but not to the local server', async () => {
    const server = await serverWith(SHOP);
    // It has no state file, so it counts as a service.
    const remote = await connectTo(server);
    const sent = await remote.call('query', { query: 'newFunction(level)' });
    expect(server.inspect.requests().some(({ path }) => path.endsWith('/queryjobs'))).toBe(true);
    expect(sent.text).toContain('the service rejected the query');
    const env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), LOGCLIENT_DISCOVERY: '' };
    await writeStateFile(env.XDG_STATE_HOME, stateOf(server));
    const before = server.inspect.requests().length;
    const local = await connectMcp({ env });
    const { text } = await local.call('query', { query: 'groupBu(level)' });
    expect(text).toMatch(/the query was not run[\s\S]*Did you mean "?groupBy/);
    expect(
      server.inspect
        .requests()
        .slice(before)
        .filter(({ path }) => path !== '/instance'),
    ).toEqual([]);
  });

  it('is explained and fixed by check_query without a server', async () => {
    const { call } = await connectMcp();
    const { text } = await call('check_query', { query: 'level = error | stats count by host' });
    expect(text).toContain(
      'Fixed and formatted:\nlevel=/\\Aerror\\z/i | host=* | groupBy(host, function=count())',
    );
    const valid = await call('check_query', { query: 'level = error LIMIT 5' });
    expect(valid.text).toContain('\n\nFormatted:\nlevel=error LIMIT 5');
    expect(valid.text).toContain('suggestion: level = error | tail(5)');
    expect(valid.text).toContain('\n\nWith the suggestions:\nlevel=error | tail(5)');
    expect((await call('check_query', { query: 'count( )' })).text).toBe(
      'No problems.\n\nFormatted:\ncount()',
    );
  });
});

describe('MCP tools', () => {
  it('summary shows counts, levels, services, and errors before other messages', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('summary');
    expect(text).toMatch(/^3 events from \d{4}-\S+Z to \S+Z /);
    expect(text).toContain('levels: info 2, error 1\n');
    expect(text).toContain('services: shop 2, billing 1\n');
    expect(text).toMatch(/\nerrors:\n[\s\S]*card declined[\s\S]*\nother messages:\n[\s\S]*order … placed/);
  });

  it('summary shows levels as they are stored, so that a filter finds them', async () => {
    const { call } = await connectTo(await serverWith([{ level: 'crit', msg: 'down' }]));
    const { text } = await call('summary');
    expect(text).toContain('levels: crit 1\n');
    expect(text).toMatch(/\nerrors:\n.*\n1\tcrit\t/);
  });

  it('summary groups similar messages and shows a sample of each', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const rows = rowsOf((await call('summary', { show: 'patterns' })).text);
    expect(rows[0]).toEqual([
      '2',
      'info',
      'shop',
      expect.any(String),
      expect.any(String),
      'e1',
      'order … placed',
      'order 2 placed',
    ]);
    expect(rows[1]!.slice(0, 3)).toEqual(['1', 'error', 'billing']);
  });

  it('summary shows how often each field occurs and its values', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('summary', { show: 'fields', prefix: 'lev' });
    expect(rowsOf(text)).toEqual([['level', '100%', '2', 'info (2), error (1)']]);
  });

  it('context shows the events around a row', async () => {
    const { call } = await connectTo(await serverWith([...SHOP, { level: 'info', msg: 'after' }]));
    const [[ref]] = rowsOf((await call('query', { query: 'level=error' })).text) as [[string]];
    const { text } = await call('context', { id: ref, before: 1, after: 1 });
    expect(text).toContain(`3 events around ${ref}, oldest first.`);
    expect(rowsOf(text).map((row) => row[4])).toEqual(['order 2 placed', 'card declined', 'after']);
  });

  it('context accepts an @id, and reports an unknown or missing id', async () => {
    const server = await serverWith(SHOP);
    const id = server.inspect.events()[0]!['@id']!;
    const { call } = await connectTo(server);
    expect((await call('context', { id })).text).toContain('order 1 placed');
    expect((await call('context', { id: 'e7' })).text).toContain('there is no event with this "id"');
    expect((await call('context', {})).text).toContain('either "id"');
  });

  it('context shows the events of a trace, oldest first', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('context', { trace_id: 'def456' });
    expect((await call('context', { trace_id: 'def45' })).text).toContain('No event contains this ID');
    expect(await call('context', { trace_id: 'a" | x' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('must be an ID of 3 to 200 letters'),
    });
    expect(rowsOf(text).map((row) => row[4])).toEqual(['order 2 placed', 'card declined']);
  });

  it('tail_until returns when "count" events have arrived', async () => {
    const server = await serverWith(SHOP);
    const { call } = await connectTo(server);
    const waiting = call('tail_until', { query: 'level=error', count: 2, timeoutMs: 30_000 });
    await eventually(() => expect(server.inspect.store().liveStreams).toBe(1));
    const event = (msg: string) => ({ timestamp: Date.now(), attributes: { level: 'error', msg } });
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    await client.ingestJsonData([{ events: [event('one'), event('two')] }]);
    const { text } = await waiting;
    expect(text).toContain('2 events, oldest first.');
    expect(rowsOf(text)).toHaveLength(2);
    expect(text).not.toContain('card declined');
  });

  it('tail_until says that it has lost the connection when the time is up', async () => {
    let count = 0;
    const service = await startService((_, response) => {
      if (count++ > 0) return response.writeHead(503, { 'retry-after': '0' }).end('restarting');
      return response.end(`{"@id":"a","@timestamp":${Date.now() + 60_000},"msg":"one"}\n`);
    });
    const env = { LOGSCALE_URL: service.url, LOGSCALE_REPOSITORY: 'r', LOGSCALE_TOKEN: 'token-1234' };
    const mcp = await connectMcp({ env });
    const { text } = await mcp.call('tail_until', { filter: 'one', count: 2, timeoutMs: 5_000 });
    expect(text).toContain('Timed out after 5 s: 1 event of 2');
    expect(text).toMatch(/Events may be missing: the connection was lost \(.*503.*\)\./);
  });

  it('tail_until reports the number of earlier matching events when it times out', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('tail_until', { query: 'level=error', timeoutMs: 200 });
    expect(text).toMatch(/^Timed out after 0.2 s: 0 events of 1/);
    expect(text).toContain('1 matching event arrived in the last 5 minutes');
    const again = await call('tail_until', { query: 'level=error', start: '5m' });
    expect(again.text).toContain('card declined');
  });

  it.each(['summary', 'tail_until'])('%s rejects an aggregate as its query', async (tool) => {
    const { call } = await connectTo(await serverWith(SHOP));
    expect(await call(tool, { query: 'level=error | count()' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('count() aggregates them'),
    });
  });

  it('help explains functions, finds them by purpose, and returns the guide', async () => {
    const { call } = await connectMcp();
    expect((await call('help', { topic: 'groupby' })).text).toMatch(
      /^groupBy\(field[\s\S]*limit: [\s\S]*Example: /,
    );
    expect((await call('help', { topic: 'parse json' })).text).toContain('parseJson(');
    expect((await call('help')).text).toBe(LANGUAGE_GUIDE);
    expect((await call('help', { topic: 'functions' })).text).toContain('groupBy, ');
    expect((await call('help', { topic: 'qqqqqq' })).isError).toBe(true);
  });

  it('work on Next-Gen SIEM', async () => {
    const { server, log } = await startServiceOfKind('ngsiem');
    const { url, clientId, clientSecret } = server as never as Record<string, string>;
    const now = Date.now();
    await log(SHOP.map((attributes, n) => ({ timestamp: now - 10 + n, attributes })));
    const { call } = await connectMcp({
      env: {
        FALCON_BASE_URL: url!,
        FALCON_CLIENT_ID: clientId!,
        FALCON_CLIENT_SECRET: clientSecret!,
      },
    });
    expect((await call('summary')).text).toContain('levels: info 2, error 1');
    expect((await call('summary', { show: 'fields' })).text).toContain('trace_id');
    const [[ref]] = rowsOf((await call('query', { query: 'level=error' })).text) as [[string]];
    expect((await call('context', { id: ref, before: 1, after: 0 })).text).toContain('order 2 placed');
    expect((await call('tail_until', { query: 'level=error', start: '5m' })).text).toContain('card declined');
    expect(server.inspect.requests({ path: '/oauth2/token' }).length).toBeLessThanOrEqual(1);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });
});

describe('logclient mcp --file', () => {
  const line = (level: number, msg: string, time = Date.UTC(2020, 1, 1)) =>
    JSON.stringify({ level, time, msg });

  it('reads old pino records and shows their level names', async () => {
    const { call } = await connectFile([line(30, 'started'), line(50, 'failed')]);
    expect((await call('summary')).text).toContain('levels: error 1, info 1');
    expect(rowsOf((await call('query', { query: 'level=error' })).text)).toHaveLength(1);
  });

  it('keeps a stack in its record', async () => {
    const { call } = await connectFile([
      '2020-02-01T10:00:00Z ERROR cannot pay',
      '    at pay (pay.js:3)',
      '2020-02-01T10:00:01Z INFO next',
    ]);
    const [[ref]] = rowsOf((await call('query', { query: '"cannot pay"' })).text) as [[string]];
    const rows = rowsOf((await call('context', { id: ref })).text);
    expect(rows.map((row) => row.join(' '))).toEqual([
      expect.stringMatching(/cannot pay[\s\S]*pay.js:3/),
      expect.stringContaining('next'),
    ]);
  });

  it('reads appended lines, and starts over when the file is truncated', async () => {
    const { call, file } = await connectFile([line(30, 'one')]);
    const count = async () => rowsOf((await call('query', { query: 'groupBy(level)' })).text);
    expect(await count()).toEqual([['info', '1']]);
    await appendFile(file, `${line(30, 'two')}\n${line(50, 'three').slice(0, 10)}`);
    expect(await count()).toEqual([['info', '2']]);
    await appendFile(file, `${line(50, 'three').slice(10)}\n`);
    expect(await count()).toEqual([
      ['error', '1'],
      ['info', '2'],
    ]);
    const [[ref]] = rowsOf((await call('query', { query: '*' })).text) as [[string]];
    expect((await call('context', { id: ref })).text).toContain('three');
    await truncate(file, 0);
    await appendFile(file, `${line(60, 'x')}\n`);
    expect(await count()).toEqual([['fatal', '1']]);
    expect((await call('context', { id: ref })).text).toContain('there is no event with this "id"');
  });

  it('waits for appended lines with tail_until', async () => {
    const { call, file } = await connectFile([line(50, 'earlier')]);
    const waiting = call('tail_until', { query: 'level=error', timeoutMs: 30_000 });
    const timer = setInterval(() => void appendFile(file, `${line(50, 'new', Date.now())}\n`), 100);
    const { text } = await waiting;
    clearInterval(timer);
    expect(rowsOf(text)[0]).toContain('new');
    expect(text).not.toContain('earlier');
  });

  it('reports a missing file by name, and reads it once it exists', async () => {
    const file = join(folder, 'later.log');
    const { call } = await connectMcp({ file });
    expect((await call('summary')).text).toContain(`can't read ${file}: it does not exist.`);
    await writeFile(file, `${line(30, 'here')}\n`);
    expect((await call('summary')).text).toContain('1 event');
  });
});

describe('Arguments of MCP tools', () => {
  const WITH_QUERY = ['summary', 'query', 'context', 'tail_until', 'check_query'];

  it('have the name "query" in every tool that reads events', async () => {
    const { client } = await connectMcp();
    const { tools } = await client.listTools();
    const named = tools.filter(({ inputSchema }) => 'query' in (inputSchema.properties ?? {}));
    expect(named.map(({ name }) => name).sort()).toEqual([...WITH_QUERY].sort());
    expect(JSON.stringify(tools)).not.toContain('"filter":');
  });

  it('can also be named "filter" instead of "query", but not both', async () => {
    const { call } = await connectFile(SHOP.map((line) => JSON.stringify(line)));
    const required = { context: { trace_id: 'def456' }, tail_until: { start: '7d', timeoutMs: 100 } };
    for (const tool of WITH_QUERY) {
      const others = required[tool as keyof typeof required] ?? {};
      const alias = await call(tool, { ...others, filter: 'level=error' });
      expect(alias.isError, tool).toBe(false);
      expect(alias.text, tool).not.toContain('order 1 placed');
      expect(await call(tool, { ...others, filter: 'a', query: 'b' })).toMatchObject({
        isError: true,
        text: expect.stringContaining('there is no argument "filter". Did you mean "query"?'),
      });
    }
  });

  it.each([
    ['query', { qurey: '*' }, 'Did you mean "query"?'],
    ['query', { query: '*', since: '1h' }, 'Did you mean "start"?'],
    ['query', { query: '*', max_tokens: 500 }, 'Did you mean "maxTokens"?'],
    ['context', { ref: 'e1' }, 'Did you mean "id"?'],
    ['context', { traceId: 'abc' }, 'Did you mean "trace_id"?'],
    ['tail_until', { timeout: 500 }, 'Did you mean "timeoutMs"?'],
    ['summary', { repo: 'x' }, 'Did you mean "repository"?'],
    ['summary', { nothing: 1 }, 'The arguments are query, start, end, repository, maxTokens, show, prefix.'],
    ['summary', { prefx: 'a' }, 'Did you mean "prefix"?'],
    ['check_query', { text: 'a' }, 'Did you mean "query"?'],
    ['help', { name: 'groupBy' }, 'Did you mean "topic"?'],
    ['help', { constructor: 'x', query: 'x' }, 'there is no argument "constructor"'],
  ])('of %s that do not exist are rejected with the one that is meant: %j', async (tool, args, hint) => {
    const { call } = await connectMcp();
    expect(await call(tool, args)).toMatchObject({ isError: true, text: expect.stringContaining(hint) });
  });
});

describe('Wrong arguments of MCP tools', () => {
  const RELATIVE = 'must be a relative time such as "15m" or "7d", an ISO 8601 time';
  const TOKENS = '"maxTokens" must be a whole number from 300 to 20000';

  it('are reported as errors of the tool that say what is right, and the next call works', async () => {
    const { call, client } = await connectFile(SHOP.map((line) => JSON.stringify(line)));
    const { tools } = await client.listTools();
    const cases: (readonly [string, Record<string, unknown>, string])[] = [
      ['query', {}, '"query" is missing. Query in the LogScale query language, such as "'],
      ['check_query', {}, '"query" is missing. Query to check.'],
      ['query', { query: '*', fields: 'level' }, '"fields" must be a list of 1 to 50 names (got "level").'],
      ['query', { query: '*', fields: [] }, '"fields" must be a list of 1 to 50 names (got []).'],
      ['query', { query: '*', fields: [''] }, '"fields" must be a list of 1 to 50 names (got [""]).'],
      ['query', { query: '*', cursor: '' }, '"cursor" must be copied from the end of the last response'],
      ['query', { query: 5, start: true }, `"query" must be a string (got 5). "start" ${RELATIVE}`],
      ['query', { query: '*', limit: 0 }, 'there is no argument "limit". Did you mean "maxTokens"?'],
      ['summary', { show: '' }, '"show" must be "overview" or "patterns" or "fields" (got "").'],
      ['summary', { prefix: 'http.' }, '"prefix" needs show="fields".'],
      ['context', {}, 'pass either "id", such as the ref of a row, or "trace_id".'],
      ['context', { id: '' }, 'there is no event with this "id".'],
      ['context', { trace_id: 'a b' }, '"trace_id" must be an ID of 3 to 200 letters, digits and'],
      ['context', { id: 'e1', before: -1 }, '"before" must be a whole number from 0 to 99 (got -1).'],
      ['tail_until', { count: 0 }, '"count" must be a whole number from 1 to 200 (got 0).'],
      [
        'tail_until',
        { timeoutMs: 1e9 },
        '"timeoutMs" must be a whole number from 100 to 300000 (got 1000000000).',
      ],
      ['help', { topic: 5 }, '"topic" must be a string (got 5).'],
      ['help', { topic: 'qqqqqq' }, 'nothing is known about this topic.'],
    ];
    for (const { name, inputSchema } of tools) {
      const { required = [], properties = {} } = inputSchema as { required?: string[]; properties?: object };
      const valid = Object.fromEntries(required.map((argument) => [argument, '*']));
      for (const wrong of [0, -1, 1e9, 500.5, '500', null])
        cases.push([name, { ...valid, maxTokens: wrong }, `${TOKENS} (got ${JSON.stringify(wrong)}).`]);
      cases.push([name, { ...valid, nothing: 1 }, 'there is no argument "nothing".']);
      if (!('repository' in properties)) continue;
      const chosen = name === 'context' ? { ...valid, id: 'e1' } : valid;
      cases.push([name, { ...chosen, repository: '' }, '"repository" must be a name (got "").']);
      cases.push([
        name,
        { ...chosen, repository: 'other' },
        'this server reads a file, which has no repositories.',
      ]);
      const place = name === 'context' ? { trace_id: 'abc123' } : valid;
      for (const start of ['', 'yesterdy', '2026-13-45', -1, 1e30])
        cases.push([name, { ...place, start }, `"start" ${RELATIVE}`]);
    }
    for (const [name, args, text] of cases) {
      const answer = await call(name, args);
      expect(answer, `${name} ${JSON.stringify(args)}`).toEqual({ isError: true, text: expect.any(String) });
      expect(answer.text, `${name} ${JSON.stringify(args)}`).toContain(`Error: ${text}`);
    }
    expect(await call('summary')).toMatchObject({
      isError: false,
      text: expect.stringContaining('3 events'),
    });
  });

  it('do not show the token of the connection', async () => {
    const server = await serverWith(SHOP);
    const { call } = await connectTo(server);
    await call('summary');
    for (const args of [{ show: server.userToken }, { [server.userToken]: 1 }, { start: server.userToken }])
      expect((await call('summary', args)).text).not.toContain(server.userToken.slice(0, 20));
  });

  it('name a repository that the service does not have', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    for (const [tool, args] of [
      ['summary', {}],
      ['query', { query: '*' }],
      ['context', { trace_id: 'abc123' }],
      ['tail_until', { timeoutMs: 100 }],
    ] as const) {
      const { text, isError } = await call(tool, { ...args, repository: 'nope' });
      expect({ isError, text }, tool).toEqual({
        isError: true,
        text: expect.stringContaining('has no repository "nope"'),
      });
    }
  });
});

describe('Rows of events', () => {
  it.each(['head(3)', 'tail(3)', 'sort(order, type=string, limit=3)', 'groupBy(level, function=tail(2))'])(
    'have the same columns after %s as without it',
    async (step) => {
      const { call } = await connectTo(await serverWith(SHOP));
      const columnsOf = (text: string): string[] =>
        /<log-data-\w+>\n(?:same in all rows: .*\n)?(.*)\n/.exec(text)![1]!.split('\t').sort();
      const all = await call('query', { query: '*' });
      const last = await call('query', { query: `* | ${step}` });
      expect(columnsOf(last.text)).toEqual(columnsOf(all.text));
      expect(last.text).not.toContain('@rawstring');
    },
  );

  it('have the columns that the query selects', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    const { text } = await call('query', { query: '* | head(2) | table([order, level])' });
    expect(text).toContain('order\tlevel');
    const written = await call('query', { query: 'order=o-2 | time := format("%s", field=@id) | v := 7' });
    expect(written.text).toMatch(/same in all rows: .*\bv=7/);
    expect(written.text).toMatch(/\tmsg\t.*time/);
  });
});

describe('Messages first seen in the range of summary', () => {
  const HOUR = 3_600_000;
  const now = Date.now();
  const line = (time: number, msg: string, level = 'info', service = 'shop') =>
    JSON.stringify({ time: new Date(time).toISOString(), level, service, msg });

  it('include one line of another service before the first error, however many others there are', async () => {
    const words = Array.from(
      { length: 40 },
      (_, n) => `step-${String.fromCharCode(97 + (n % 26))}${'x'.repeat(n)}`,
    );
    const lines = words.flatMap((word, n) => Array.from({ length: 3 }, () => line(now - HOUR + n, word)));
    lines.push(line(now - HOUR + 1000, 'feature flag new-rates enabled', 'info', 'config'));
    lines.push(line(now - HOUR + 1001, 'checkout failed', 'error'));
    const { call } = await connectFile(lines);
    const { text } = await call('summary', { maxTokens: 2_000 });
    expect(text).toMatch(
      /messages first seen in this range, there are no earlier events; just before the first error first:\ncount.*\n1\tinfo\tconfig\t.*feature flag new-rates enabled/,
    );
  });

  it('are those that did not occur in the time before', async () => {
    const lines = [
      line(now - 2 * HOUR, 'request received'),
      line(now - 2 * HOUR, 'payment failed', 'error'),
      line(now - HOUR / 2, 'request received'),
      line(now - HOUR / 2, 'payment failed', 'error'),
      line(now - HOUR / 2, 'disk is full', 'error'),
    ];
    const { call } = await connectFile(lines);
    const { text } = await call('summary', { start: '1h' });
    const [, refs] = /first seen in this range, not in the 24 h before: (\S+)$/m.exec(text) ?? [];
    const rows = rowsOf(text).filter((row) => row.includes(refs!));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain('disk is full');
  });

  it('are not listed twice if there are no earlier events', async () => {
    const { call } = await connectTo(await serverWith(SHOP));
    expect((await call('summary')).text).not.toContain('first seen');
  });
});
