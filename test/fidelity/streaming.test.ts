import { describe, expect, it } from 'vitest';
import { LogConnectionDroppedException, LogQueryException, LogTimeoutException } from '../../src/errors.ts';
import { collect } from '../helpers/collect.ts';
import { makeEvents } from '../helpers/query-answers.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { page, rowStream, rows, textError } from './replies.ts';
import { jsonOf, type Reply, type Turn } from './service-script.ts';

const QUERY = '/api/v1/repositories/sandbox/query';

describe.each(CARRIERS)('A streaming query over $name', (carrier) => {
  const itInPieces = it.skipIf(!carrier.can.includes('pieces'));
  const itCuts = it.skipIf(!carrier.can.includes('cuts'));
  const itOnTheWire = it.skipIf(!carrier.can.includes('wire'));
  const start = (...turns: readonly Turn[]) => connect(carrier, { [`POST ${QUERY}`]: turns });

  /** What is read from a response before its end, and how it ends. */
  async function read(reply: Turn): Promise<{ read: unknown[]; error: unknown }> {
    const { client } = await start(reply);
    const read: unknown[] = [];
    try {
      for await (const row of client.streamingQuery('*')) read.push(row);
      return { read, error: undefined };
    } catch (error) {
      return { read, error };
    }
  }

  it('yields rows as the service wrote them', async () => {
    const events = makeEvents(3);
    expect(await read(rowStream(rows(...events)))).toEqual({ read: events, error: undefined });
  });

  it('skips empty keep-alive lines and accepts CRLF', async () => {
    const body = '\n\n{"a":"1"}\r\n\n \r\n{"a":"2"}\n\n\n';
    expect(await read(rowStream(body))).toEqual({ read: [{ a: '1' }, { a: '2' }], error: undefined });
  });

  itInPieces('joins pieces that were cut inside a character, a line end and a keep-alive', async () => {
    const bytes = Buffer.from('{"a":"€🎉"}\r\n\n{"b":"2"}\r\n');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await read(rowStream(...pieces))).toEqual({ read: [{ a: '€🎉' }, { b: '2' }], error: undefined });
  });

  itInPieces('yields what is there while the service goes on', async () => {
    const { client } = await start({ ...rowStream('{"a":"1"}\n\n', '{"a":"2"}\n{"a'), ending: 'silence' });
    const read: unknown[] = [];
    for await (const row of client.streamingQuery('*', { isLive: true })) {
      read.push(row);
      if (read.length === 2) break;
    }
    expect(read).toEqual([{ a: '1' }, { a: '2' }]);
  });

  it('accepts a line longer than 1 MB, the maximum size of an event', async () => {
    const row = { _collected: 'é'.repeat(1_200_000) };
    const { read: values } = await read(rowStream(rows(row, { a: '1' })));
    expect(values).toEqual([row, { a: '1' }]);
  });

  // One carrier is enough, because the code is the same and the data large.
  it.skipIf(carrier !== CARRIERS[0])('rejects an endless line before it fills the memory', async () => {
    const mebibyte = Buffer.alloc(2 ** 20, 'x');
    const { error } = await read(rowStream(...Array<Buffer>(66).fill(mebibyte)));
    expect(error).toMatchObject({
      code: 'LOG_BAD_ANSWER',
      message: expect.stringContaining('67108864 bytes'),
    });
  });

  it.each([
    ['a line', '{"a":"1"}\n{"a":"2","b'],
    ['the number at its end', '{"a":"1"}\n{"a":2'],
    ['a character', Buffer.from('{"a":"1"}\n{"a":"€').subarray(0, -1)],
    ['the last brace', '{"a":"1"}\r\n{"a":{"b":"2"}'],
  ])('that ends in the middle of %s is a dropped connection', async (_, body) => {
    const { read: values, error } = await read(rowStream(body));
    expect(values).toEqual([{ a: '1' }]);
    expect(error).toBeInstanceOf(LogConnectionDroppedException);
    expect(error).toMatchObject({
      code: 'LOG_CONNECTION_DROPPED',
      message: `The response to POST ${QUERY} ended in the middle of a line.`,
    });
  });

  it('accepts a complete last row without a newline', async () => {
    expect(await read(rowStream('{"a":"1"}\n{"a":"2"}'))).toMatchObject({ read: [{ a: '1' }, { a: '2' }] });
  });

  itCuts('that breaks off is a dropped connection, after the rows that had come', async () => {
    const { read: values, error } = await read({ ...rowStream('{"a":"1"}\n', '{"a":"2'), ending: 'reset' });
    expect(values).toEqual([{ a: '1' }]);
    expect(error).toBeInstanceOf(LogConnectionDroppedException);
  });

  it.each([
    ['a line that is not JSON', '{"a":"1"}\nUpstream failed\n{"a":"2"}\n'],
    ['an array in place of rows', '[{"a":"1"},{"a":"2"}]\n'],
    ['a text in place of a row', '"a"\n'],
    ['null in place of a row', 'null\n'],
  ])('rejects %s without repeating it', async (_, body) => {
    const { error } = await read(rowStream(body));
    expect(error).toMatchObject({
      code: 'LOG_BAD_ANSWER',
      message: expect.not.stringMatching(/Upstream|"a"/),
    });
  });

  it.each([
    [
      'a bad query',
      textError(400, 'Expected an expression\n```\n| \n  ^\n```'),
      LogQueryException,
      'Expected an',
    ],
    ['a revoked token', textError(401, 'The supplied authentication is invalid'), Error, 'is invalid'],
    ['a page', page(200, 'Welcome'), Error, 'with a web page (status 200)'],
    ['a page of a proxy', page(503, 'Unavailable'), Error, /with status 503\.$/],
  ])('throws the error before its first row: %s', async (_, turn: Reply, type, message) => {
    const { error } = await read(turn);
    expect(error).toBeInstanceOf(type);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain(TOKEN);
  });

  it('times out if the response does not start in time', async () => {
    const { client } = await start('silence');
    const reading = collect(client.streamingQuery('*', { timeoutMs: 40 }));
    await expect(reading).rejects.toBeInstanceOf(LogTimeoutException);
  });

  it('sends the documented request', async () => {
    const { client, service } = await start(rowStream());
    await collect(
      client.streamingQuery('| count()', {
        start: '2h',
        end: 1_770_109_200_000,
        timeZoneOffsetMinutes: 120,
        arguments: { host: 'web-7' },
        rawData: { languageVersion: 'legacy' },
      }),
    );
    const [request] = service.requests;
    expect(request?.headers).toMatchObject({
      accept: 'application/x-ndjson',
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
    });
    expect(jsonOf(request)).toEqual({
      queryString: '| count()',
      start: '2h',
      end: 1_770_109_200_000,
      timeZoneOffsetMinutes: 120,
      arguments: { host: 'web-7' },
      languageVersion: 'legacy',
    });
  });

  itOnTheWire('may be compressed unless it is live', async () => {
    const { client, service } = await start(rowStream());
    await collect(client.streamingQuery('*'));
    await collect(client.streamingQuery('*', { isLive: true }));
    expect(service.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      expect.stringMatching(/^gzip/),
      'identity',
    ]);
  });
});
