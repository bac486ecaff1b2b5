import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { Ingester, LogClient, LogIngestClient, type Warning } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { startProcess } from '../../helpers/cli-process.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { startService } from '../../helpers/http-service.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/log-each-line.mjs');

let home: string;
let port: number;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'logclient-restart-'));
  port = await closedPort();
  vi.stubEnv('XDG_STATE_HOME', home);
  for (const name of ['CI', 'NODE_ENV', 'LOGCLIENT_DISCOVERY']) vi.stubEnv(name, '');
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true, force: true });
  });
});

/** A server at the test's port, with new tokens and a state file. */
async function startFindable(options: object = {}): Promise<LocalServer> {
  const server = await startLocalServer({ port, ...options });
  onTestFinished(() => server.close());
  await rm(join(home, 'logclient'), { recursive: true, force: true });
  await writeStateFile(home, stateOf(server));
  return server;
}

describe('Program whose discovered local server restarts', () => {
  it('delivers with the new token, including records logged during the outage', async () => {
    const first = await startFindable();
    const warnings: string[] = [];
    const onWarning = ({ message }: Warning): unknown => warnings.push(message);
    await using ingester = new Ingester({ flushIntervalMs: 0, minRetryDelayMs: 10, onWarning });
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    expect(first.inspect.events()).toMatchObject([{ n: '1' }]);
    await first.close();
    ingester.add({ attributes: { n: 2 } });
    await expect.poll(() => warnings.join()).toContain('Start "logclient serve" again.');
    const second = await startFindable();
    ingester.add({ attributes: { n: 3 } });
    await ingester.flush();
    expect(second.inspect.events().map(({ n }) => n)).toEqual(['2', '3']);
    expect(ingester.stats).toMatchObject({ accepted: 3, delivered: 3 });
  });

  it('delivers to the new server without a failed request if it was idle during the restart', async () => {
    const first = await startFindable();
    await using ingester = new Ingester({ flushIntervalMs: 0 });
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    await first.close();
    const second = await startFindable();
    ingester.add({ attributes: { n: 2 } });
    await ingester.flush();
    expect(second.inspect.events()).toMatchObject([{ n: '2' }]);
    expect(second.inspect.rejections()).toEqual([]);
  });

  it('asks for one proof per connection: later batches reuse one, queries another', async () => {
    const server = await startFindable();
    await using ingester = new Ingester({ flushIntervalMs: 0 });
    const client = new LogClient();
    for (let n = 1; n <= 5; n++) {
      ingester.add({ attributes: { n } });
      await ingester.flush();
      await client.query('count()');
    }
    expect(server.inspect.events()).toHaveLength(5);
    const proofs = server.inspect.requests().filter(({ path }) => path === '/instance');
    expect(proofs).toHaveLength(2);
  });

  it.each(['exit', 'close'])('delivers to the new server on %s', async (ending) => {
    const first = await startFindable();
    const { child, output, ended } = startProcess(process.execPath, [FIXTURE], {
      env: { PATH: process.env.PATH, HOME: home, XDG_STATE_HOME: home, ENDING: ending },
    });
    child.stdin!.write('1\n');
    await expect.poll(() => first.inspect.events().length).toBe(1);
    await first.close();
    const second = await startFindable();
    child.stdin!.end('2\n');
    expect(await ended).toBe(0);
    expect(second.inspect.events()).toMatchObject([{ n: '2' }]);
    expect(output.stderr).not.toContain('dropped');
  });

  it('sends no token to another program at the same address, and delivers once the server is back', async () => {
    const first = await startFindable();
    const warnings: string[] = [];
    const onWarning = ({ message }: Warning): unknown => warnings.push(message);
    await using ingester = new Ingester({ flushIntervalMs: 0, maxRetryDelayMs: 1_000, onWarning });
    const client = new LogClient();
    ingester.add({ attributes: { n: 1 } });
    await ingester.flush();
    await client.query('count()');
    await first.close();
    const other = await startService((_, response) => void response.end('{}'), port);
    ingester.add({ attributes: { n: 2 } });
    await expect.poll(() => warnings.join()).toContain('another program uses its port');
    await expect(client.query('count()')).rejects.toThrow('has stopped');
    expect(new Set(other.calls)).toEqual(new Set(['GET /instance']));
    for (const { headers } of other.requests) expect(headers).not.toHaveProperty('authorization');
    await other.close();
    const second = await startFindable();
    await ingester.flush();
    expect(second.inspect.events()).toMatchObject([{ n: '2' }]);
  });

  it('queries and ingests at the new server with LogClient and LogIngestClient', async () => {
    const first = await startFindable();
    const [client, ingestClient] = [new LogClient(), new LogIngestClient()];
    expect(await client.query('count()')).toEqual([{ _count: '0' }]);
    await first.close();
    await expect(client.query('count()')).rejects.toMatchObject({ code: 'LOG_CONNECTION' });
    await startFindable();
    await ingestClient.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes: { n: 1 } }] }]);
    expect(await client.query('count()')).toEqual([{ _count: '1' }]);
  });
});
