import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { eventually } from '../helpers/eventually.ts';
import { ingest, post } from './query-calls.ts';

/** Waits until the port of another server has reopened by its timer: an earlier timer would have fired, too. */
async function passed(forMs: number): Promise<void> {
  await using other = await startLocalServer({ port: await closedPort() });
  await other.faults.closePort({ forMs });
  await eventually(async () => expect((await post(other, 'ingest/raw', 'x')).status).toBe(200));
}

const codeOf = (error: unknown): unknown => (error as { cause?: { code?: string } }).cause?.code;

describe.each([
  ['of a server with a port', true],
  ['of a server without one', false],
])('faults.closePort() %s', (_, listen) => {
  let server: LocalServer;
  let warnings: string[];
  beforeEach(async () => {
    warnings = [];
    const port = listen ? await closedPort() : undefined;
    const options: LocalServerOptions = { listen, port, onWarning: (text) => void warnings.push(text) };
    server = await startLocalServer(options);
  });
  afterEach(() => server.close());

  const ask = (path = 'ingest/raw', body = 'x'): Promise<Response> => post(server, path, body);
  const refusal = async (): Promise<unknown> => codeOf(await ask().catch((error: unknown) => error));

  it('refuses connections until openPort(), and keeps stored events', async () => {
    expect((await ask()).status).toBe(200);
    const { url } = server;
    await server.faults.closePort();
    await server.faults.closePort();
    expect(await refusal()).toBe('ECONNREFUSED');
    await expect(server.fetch(`${url}/api/v1/status`)).rejects.toThrow('fetch failed');
    await server.faults.openPort();
    await server.faults.openPort();
    expect(server.url).toBe(url);
    expect((await ask()).status).toBe(200);
    expect(server.inspect.store().events).toBe(2);
  });

  it('reopens the port after forMs', async () => {
    await server.faults.closePort({ forMs: 100 });
    expect(await refusal()).toBe('ECONNREFUSED');
    await eventually(async () => expect((await ask()).status).toBe(200));
    expect(warnings).toEqual([]);
  });

  it('keeps the port closed when called again without forMs', async () => {
    await server.faults.closePort({ forMs: 50 });
    await server.faults.closePort();
    await passed(50);
    expect(await refusal()).toBe('ECONNREFUSED');
  });

  it('keeps the port closed when an earlier forMs, canceled by openPort(), has passed', async () => {
    void server.faults.closePort({ forMs: 100 });
    void server.faults.openPort();
    await server.faults.closePort();
    await passed(100);
    expect(await refusal()).toBe('ECONNREFUSED');
  });

  it('cuts a request that waits for its response', async () => {
    const fault = server.faults.add({ hang: true, times: 1 });
    const hanging = expect(ask()).rejects.toThrow(TypeError);
    await eventually(() => expect(fault.hits).toBe(1));
    await server.faults.closePort();
    await hanging;
  });

  it('cuts a response in the middle', async () => {
    await ingest(server, [{ timestamp: Date.now(), attributes: {} }]);
    const live = await ask('repositories/sandbox/query', '{"queryString":"*","isLive":true,"start":"1h"}');
    const reader = live.body!.getReader();
    expect((await reader.read()).done).toBe(false);
    const broken = expect(reader.read()).rejects.toThrow(TypeError);
    await server.faults.closePort();
    await broken;
  });

  it('does not reopen the port of a closed server, and openPort() rejects', async () => {
    await server.faults.closePort({ forMs: 50 });
    void server.faults.openPort().catch(() => {});
    void server.faults.closePort({ forMs: 1 });
    await server.close();
    await expect(server.faults.openPort()).rejects.toThrow('the server is closed');
    await server.faults.closePort({ forMs: 1 });
    await passed(50);
    await expect(ask()).rejects.toThrow(TypeError);
    expect(warnings).toEqual([]);
  });

  it.each([
    [{ forMs: -1 }, '"forMs" must be a whole number'],
    [{ forMS: 5 } as object, 'Did you mean "forMs"?'],
  ])('rejects %o and keeps the port open', async (options, message) => {
    await expect(server.faults.closePort(options)).rejects.toThrow(message);
    expect((await ask()).status).toBe(200);
  });
});

describe('Port in use by another program', () => {
  it('makes openPort() fail, and forMs retries until it is free', async () => {
    const warnings: string[] = [];
    const port = await closedPort();
    await using server = await startLocalServer({ port, onWarning: (text) => void warnings.push(text) });
    await server.faults.closePort();
    const other = createServer().listen(port, '127.0.0.1');
    await once(other, 'listening');

    await expect(server.faults.openPort()).rejects.toThrow(
      `faults.openPort: can't listen on port ${port} of 127.0.0.1 again: another program started using it`,
    );
    await server.faults.closePort({ forMs: 1 });
    await eventually(() => expect(warnings).toHaveLength(1));
    expect(warnings[0]).toContain('The server keeps trying');

    await new Promise((resolve) => other.close(resolve));
    await eventually(async () => expect((await fetch(`${server.url}/api/v1/status`)).status).toBe(200));
    expect(warnings).toHaveLength(1);
  });
});
