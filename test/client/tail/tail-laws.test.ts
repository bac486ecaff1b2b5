import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LogClient } from '../../../src/client/log-client.ts';
import type { TailReconnect } from '../../../src/client/tail/live-query-options.ts';
import { isLogScale } from '../../../src/core/http/service-kind.ts';
import type { LogEvent } from '../../../src/core/wire/query.ts';
import { sendText, startService } from '../../helpers/http-service.ts';
import { cases } from '../../helpers/laws.ts';
import { SERVICE_KINDS, startServiceOfKind } from '../../helpers/service-kinds.ts';

/** Removes the random delay of reconnections. */
beforeEach(() => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(0);
  return () => random.mockRestore();
});

const clientOf = (url: string): LogClient =>
  new LogClient({ baseUrl: url, repository: 'r', userToken: 'token-1234' });

const eventAt = (index: number): object => ({
  '@id': `id-${index}`,
  '@timestamp': 1_770_000_000_000 + index,
  '@rawstring': `größer als ${index} 🙂`,
});

const bytesOf = (from: number, to: number): Buffer =>
  Buffer.from(
    Array.from(
      { length: Math.max(0, to - from) },
      (_, index) => `${JSON.stringify(eventAt(from + index))}\n`,
    ).join(''),
  );

/** Counts consecutive events, up to a maximum: an assertion per event would be slow. */
async function countInOrder(tail: AsyncIterable<LogEvent>, most: number): Promise<number> {
  let count = 0;
  for await (const event of tail) {
    if (event['@id'] !== `id-${count}`) break;
    if (++count === most) break;
  }
  return count;
}

/** One connection: it repeats some events, sends new ones, and ends at some byte, normally or not. */
interface Connection {
  readonly repeated: number;
  readonly fresh: number;
  /** The share of its bytes to send. */
  readonly part: number;
  readonly ending: 'end' | 'reset' | 'status502' | 'refused';
  readonly pieces: number;
}

const connection: fc.Arbitrary<Connection> = fc.record({
  repeated: fc.nat({ max: 60 }),
  fresh: fc.nat({ max: 30 }),
  part: fc.double({ min: 0, max: 1, noNaN: true }),
  ending: fc.constantFrom('end', 'reset', 'reset', 'status502', 'refused'),
  pieces: fc.integer({ min: 1, max: 5 }),
});

/** Sends bytes in chunks with arbitrary boundaries. */
async function sendPieces(response: ServerResponse, bytes: Buffer, pieces: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let from = 0; from < bytes.length; from += size) {
    const piece = bytes.subarray(from, from + size);
    await new Promise((resolve) => response.write(piece, resolve));
  }
}

describe('tail()', () => {
  it('yields each event once and in order, wherever streams are cut and whatever they repeat', async () => {
    let connections: readonly Connection[] = [];
    let index = 0;
    /** Number of existing events, and of those that the client has received completely. */
    let existing = 0;
    let received = 0;
    const service = await startService(async (_, response) => {
      const script = connections[index++];
      if (script === undefined) {
        // The last connection sends the rest.
        response.write(bytesOf(Math.max(0, received - 20), existing + 5));
        return;
      }
      if (script.ending === 'status502') return sendText(response, 502, 'bad gateway');
      if (script.ending === 'refused') return response.destroy();
      existing += script.fresh;
      const from = Math.max(0, received - script.repeated);
      const all = bytesOf(from, existing);
      const sent = all.subarray(0, Math.floor(all.length * script.part));
      received = Math.max(received, from + sent.toString('latin1').split('\n').length - 1);
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      await sendPieces(response, sent, script.pieces);
      if (script.ending === 'end') return response.end();
      return response.destroy();
    });
    const client = clientOf(service.url);
    await fc.assert(
      fc.asyncProperty(fc.array(connection, { maxLength: 8 }), async (script) => {
        // Only the first connection must succeed.
        connections = [{ repeated: 0, fresh: 1, part: 1, ending: 'end', pieces: 1 }, ...script];
        [index, existing, received] = [0, 0, 0];
        const seen: unknown[] = [];
        for await (const event of client.tail('foo', { start: '1h' })) {
          seen.push(event['@id']);
          if (event['@id'] === `id-${existing + 4}`) break;
        }
        expect(seen).toEqual(Array.from({ length: existing + 5 }, (_, at) => `id-${at}`));
      }),
      cases(4),
    );
  });

  it.each(SERVICE_KINDS)(
    'yields each event of a local server (%s) that cuts its responses at any byte',
    async (kind) => {
      const path = isLogScale(kind) ? /query$/ : '/queryjobs/';
      const method = isLogScale(kind) ? 'POST' : 'GET';
      const round = fc.record({
        events: fc.integer({ min: 1, max: 40 }),
        cutAfterBytes: fc.integer({ min: 1, max: 9_000 }),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 6 }), async (rounds) => {
          const { server, client, log: logEvents } = await startServiceOfKind(kind);
          const total = rounds.reduce((sum, { events }) => sum + events, 0);
          let logged = 0;
          const log = async (events: number): Promise<void> => {
            const timestamp = Date.now();
            const numbers = Array.from({ length: events }, () => logged++);
            await logEvents(numbers.map((n) => ({ timestamp, attributes: { n } })));
          };
          for (const { cutAfterBytes } of rounds)
            server.faults.add({ path, method, cutAfterBytes, times: 1 });
          const rest = [...rounds];
          await log(rest.shift()!.events);
          const seen: number[] = [];
          // Existing events are requested only since the tail started, because a tail that requests too much would hide
          // a gap.
          for await (const { n } of client.tail<{ n: string }>('n=*', { start: '1s', overlapMs: 0 })) {
            seen.push(Number(n));
            if (seen.length === total) break;
            if (seen.length === logged) await log(rest.shift()!.events);
          }
          expect(seen).toEqual(Array.from({ length: total }, (_, n) => n));
          await server.close();
        }),
        cases(4),
      );
    },
  );

  it('survives a closed stream, a line cut in half, a 502 and a reset connection, in this order', async () => {
    const told: TailReconnect[] = [];
    let index = 0;
    const service = await startService((_, response) => {
      switch (index++) {
        case 0:
          response.write(bytesOf(0, 2));
          return response.end();
        case 1: {
          response.write(Buffer.concat([bytesOf(0, 3), bytesOf(3, 4).subarray(0, 25)]), () =>
            response.destroy(),
          );
          return;
        }
        case 2:
          return sendText(response, 502, '<html>bad gateway</html>');
        case 3:
          return response.socket?.destroy();
        default:
          return response.write(bytesOf(2, 6));
      }
    });
    const seen: unknown[] = [];
    for await (const event of clientOf(service.url).tail('foo', { onReconnect: (each) => told.push(each) })) {
      seen.push(event['@id']);
      if (seen.length === 6) break;
    }
    expect(seen).toEqual(['id-0', 'id-1', 'id-2', 'id-3', 'id-4', 'id-5']);
    expect(told.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3]);
    expect(told.map(({ error }) => (error as { code?: string } | undefined)?.code)).toEqual([
      'LOG_CONNECTION_DROPPED',
      'LOG_CONNECTION_DROPPED',
      'LOG_HTTP',
      'LOG_CONNECTION',
    ]);
  });

  it('remembers 50,000 events, so that a connection can repeat that many', async () => {
    const count = 50_000;
    let index = 0;
    const service = await startService((_, response) => {
      response.write(bytesOf(0, index === 0 ? count : count + 1), () => {
        if (index++ === 0) response.end();
      });
    });
    expect(await countInOrder(clientOf(service.url).tail('foo', { start: '1h' }), count + 1)).toBe(count + 1);
    expect(index).toBe(2);
  });

  it('requests a shorter interval if more events arrived than it remembers, and reports what it skips', async () => {
    const count = 60_000;
    const begin = Date.now();
    const skips: unknown[] = [];
    const starts: string[] = [];
    const line = (at: number): string => `{"@id":"id-${at}","@timestamp":${begin - (count - at) / 10}}\n`;
    const lines = (from: number, to: number): string =>
      Array.from({ length: to - from }, (_, at) => line(from + at)).join('');
    const service = await startService((request, response) => {
      const { start } = request.json<{ start: string }>();
      starts.push(start);
      if (starts.length === 1) return response.end(lines(0, count));
      // Like the service: everything since the requested time; there are ten events per millisecond.
      const from = count - (begin - (Date.now() - Number.parseInt(start, 10))) * 10;
      return response.write(lines(Math.max(0, Math.floor(from)), count + 1));
    });
    const tail = clientOf(service.url).tail('foo', { start: '1h', onSkip: (skip) => skips.push(skip) });
    expect(await countInOrder(tail, count + 1)).toBe(count + 1);
    expect(starts[0]).toBe('3600s');
    expect(starts[1]).toMatch(/^\d+ms$/);
    expect(skips).toEqual([{ from: expect.any(Number), to: expect.any(Number), reason: 'tooManyToRepeat' }]);
  });
});
