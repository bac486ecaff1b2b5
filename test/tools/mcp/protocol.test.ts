import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-protocol-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

interface Response {
  readonly id: unknown;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What `logclient mcp` responds to these lines by request ID, after which stdin ends. */
async function responsesTo(lines: readonly unknown[]): Promise<ReadonlyMap<unknown, Response>> {
  const file = join(await newFolder(), 'app.log');
  await writeFile(file, '{"level":50,"time":1580515200000,"msg":"card declined"}\n');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const { code, stdout, stderr } = await runCommand(['mcp', '--file', file], { stdin: texts.join('\n') });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const responses = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Response);
  return new Map(responses.map((response) => [response.id, response]));
}

const request = (id: unknown, method: string, params?: object) => ({ jsonrpc: '2.0', id, method, params });
const notification = (method: string, params?: object) => ({ jsonrpc: '2.0', method, params });
const call = (id: number, name: string, args?: object) =>
  request(id, 'tools/call', { name, arguments: args });

const initialize = (id: number, protocolVersion: string) =>
  request(id, 'initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'test', version: '1.0.0' },
  });
const START = [initialize(1, '2025-06-18'), notification('notifications/initialized')];

describe('Protocol of logclient mcp', () => {
  it('answers every request that was read when stdin ends, also without a newline after the last one', async () => {
    const responses = await responsesTo([
      ...START,
      request(2, 'tools/list'),
      call(3, 'summary'),
      call(4, 'query', { query: 'level=error' }),
    ]);
    expect([...responses.keys()].sort()).toEqual([1, 2, 3, 4]);
    for (const id of [3, 4]) expect(JSON.stringify(responses.get(id)!.result)).toContain('card declined');
  });

  it.each<[string, unknown, unknown, object]>([
    [
      'a line that is not JSON',
      'hello',
      null,
      { code: -32700, message: expect.stringContaining('as JSON on one line') },
    ],
    [
      'a batch',
      [request(2, 'ping')],
      null,
      { code: -32600, message: expect.stringContaining('batches are not supported') },
    ],
    [
      'an empty object',
      {},
      null,
      { code: -32600, message: expect.stringContaining('"jsonrpc" must be "2.0"') },
    ],
    ['a request without a version', { id: 2, method: 'ping' }, 2, { code: -32600 }],
    ['a method that is no string', request(2, 5 as never), 2, { code: -32600 }],
    ['an ID that is null', request(null, 'ping'), null, { code: -32600 }],
    ['an unknown method', request(2, 'nothing'), 2, { code: -32601 }],
    ['an unknown tool', call(2, 'nothing'), 2, { code: -32602 }],
    ['an unknown prompt', request(2, 'prompts/get', { name: 'nothing' }), 2, { code: -32602 }],
    [
      'an unknown resource',
      request(2, 'resources/read', { uri: 'logclient://functions/none' }),
      2,
      { code: -32602, message: 'There is no function "none".' },
    ],
    [
      'arguments that are no object',
      request(2, 'tools/call', { name: 'summary', arguments: 'x' }),
      2,
      { code: -32602 },
    ],
  ])('rejects %s by the code of the specification, and continues', async (_, line, id, error) => {
    const responses = await responsesTo([...START, line, request(9, 'ping')]);
    expect(responses.get(id)?.error).toMatchObject(error);
    expect(responses.get(9)?.result).toEqual({});
    expect(responses.size).toBe(3);
  });

  it.each([
    ['an unknown notification', notification('notifications/nothing')],
    ['the response to a request that was never sent', { jsonrpc: '2.0', id: 2, result: {} }],
    ['a malformed response', { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no' } }],
  ])('does not respond to %s', async (_, line) => {
    const responses = await responsesTo([...START, line, request(9, 'ping')]);
    expect([...responses.keys()].sort()).toEqual([1, 9]);
  });

  it('does not respond to a canceled request, and does not wait for it', async () => {
    const responses = await responsesTo([
      ...START,
      call(2, 'tail_until', { timeoutMs: 300_000 }),
      notification('notifications/cancelled', { requestId: 2 }),
    ]);
    expect([...responses.keys()]).toEqual([1]);
  });

  it('offers its own version for an unknown one, and can be initialized again', async () => {
    const responses = await responsesTo([initialize(1, '1999-01-01'), initialize(2, '2025-03-26')]);
    expect(responses.get(1)!.result!.protocolVersion).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(responses.get(2)!.result!.protocolVersion).toBe('2025-03-26');
  });
});

describe('logclient mcp --file', () => {
  it.each([
    ['a missing file', 'missing.log', /^logclient: can't read .*missing\.log: it does not exist\.\n$/],
    ['a directory', 'folder', /^logclient: .*folder is a directory\. Pass the files in it/],
    ['a compressed file', 'app.log.gz', /app\.log\.gz is compressed with gzip\. Decompress it first/],
    ['an empty name', '', /^logclient: can't read ""/],
  ])('fails at the start for %s', async (_, name, message) => {
    const folder = await newFolder();
    await mkdir(join(folder, 'folder'));
    await writeFile(join(folder, 'app.log.gz'), gzipSync('a line\n'));
    const file = name === '' ? '' : join(folder, name);
    const run = await runCommand(['mcp', '--file', file], { stdin: '' });
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});
