import { describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/client/log-client.ts';
import type { TailReconnect } from '../../src/client/tail/live-query-options.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { eventually } from '../helpers/eventually.ts';
import { startService } from '../helpers/http-service.ts';
import { runNode } from '../helpers/run-node.ts';

describe('The memory of a tail', () => {
  it('stays flat over a million events, in a heap of 48 MiB', async () => {
    const { code, stdout, stderr } = await runNode('test/fixtures/tail-a-million.mjs', {
      NODE_OPTIONS: '--max-old-space-size=48',
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
    const { count, inOrder, heapMiB } = JSON.parse(stdout);
    expect({ count, inOrder }).toEqual({ count: 1_000_000, inOrder: true });
    expect(Math.max(...heapMiB) - Math.min(...heapMiB)).toBeLessThan(8);
  });

  it('does not grow with a slow consumer: events wait at the service', async () => {
    const piece = `${JSON.stringify({ '@id': 'x', text: 'x'.repeat(100_000) })}\n`.replace('"x"', '"ID"');
    const pieces = 1_000;
    let sent = 0;
    let isHeld = false;
    const service = await startService((_, response) => {
      const send = (): void => {
        while (sent < pieces) {
          if (!response.write(piece.replace('ID', String(sent++)))) {
            isHeld = true;
            response.once('drain', send);
            return;
          }
        }
      };
      send();
    });
    const client = new LogClient({ baseUrl: service.url, repository: 'r', userToken: 'token-1234' });
    const ids: unknown[] = [];
    let heldAt = 0;
    for await (const event of client.tail('*')) {
      ids.push(event['@id']);
      if (ids.length === 1) {
        // Blocked: the service can only send as much as fits into system buffers.
        await eventually(() => {
          const before = heldAt;
          heldAt = sent;
          expect(isHeld && before === sent).toBe(true);
        });
        expect(heldAt).toBeLessThan(pieces / 3);
      }
      if (ids.length === pieces) break;
    }
    expect(ids).toEqual(Array.from({ length: pieces }, (_, index) => String(index)));
  });
});

describe('A tail whose connection the service closes because of a slow consumer', () => {
  it('reconnects and continues with the next event, without a gap', async () => {
    const server = await startLocalServer({ maxRequestBytes: 100_000 });
    onTestFinished(() => server.close());
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const text = 'x'.repeat(30_000);
    const events = 400;
    const log = (...numbers: number[]): Promise<unknown> =>
      client.ingestJsonData([
        { events: numbers.map((n) => ({ timestamp: Date.now(), attributes: { n, text } })) },
      ]);
    await log(0);
    const reconnects: TailReconnect[] = [];
    const seen: number[] = [];
    for await (const event of client.tail<{ n: string }>('n=*', {
      onReconnect: (reconnect) => reconnects.push(reconnect),
    })) {
      seen.push(Number(event.n));
      if (seen.length === 1) {
        for (let n = 1; n < events; n += 3) await log(n, n + 1, n + 2);
        expect(server.inspect.store().liveStreams).toBe(0);
      }
      if (seen.length === events) break;
    }
    expect(seen).toEqual(Array.from({ length: events }, (_, n) => n));
    expect(reconnects[0]?.error).toMatchObject({ code: 'LOG_CONNECTION_DROPPED' });
  });
});

describe('A process that reads records back', () => {
  it('exits on its own, whatever it left unfinished, and leaves no job or stream behind', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const { url, repository, userToken } = server;
    const client = new LogClient({ baseUrl: url, repository, userToken });
    const timestamp = Date.now();
    await client.ingestJsonData([
      { events: [1, 2, 3].map((n) => ({ timestamp, attributes: { n: String(n) } })) },
    ]);
    const SERVER = JSON.stringify({ url, repository, userToken });
    const { code, stdout, stderr } = await runNode('test/fixtures/read-and-leave.mjs', { SERVER });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toHaveLength(11);
    expect(code).toBe(0);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
    expect(server.inspect.store().liveStreams).toBe(0);
  });
});
