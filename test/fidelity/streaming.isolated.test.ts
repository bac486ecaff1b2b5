import { describe, expect, it } from 'vitest';
import {
  LogConnectionDroppedException,
  LogQueryException,
  LogTimeoutException,
} from '../../src/core/errors.ts';
import { collect } from '../helpers/collect.ts';
import { lawCases } from '../helpers/laws.ts';
import { makeEvents } from '../helpers/query-answers.ts';
import { CARRIERS, connect, TOKEN } from './carriers.ts';
import { page, rowStream, rows, textError } from './replies.ts';
import { jsonOf, type Reply, type Turn } from './service-script.ts';

const QUERY = '/api/v1/repositories/sandbox/query';

describe.each(lawCases(CARRIERS, 3))('streamingQuery() over $name', (carrier) => {
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

  it('yields the rows of the response', async () => {
    const events = makeEvents(3);
    expect(await read(rowStream(rows(...events)))).toEqual({ read: events, error: undefined });
  });

  it('skips blank keep-alive lines and accepts CRLF', async () => {
    const body = '\n\n{"a":"1"}\r\n\n \r\n{"a":"2"}\n\n\n';
    expect(await read(rowStream(body))).toEqual({ read: [{ a: '1' }, { a: '2' }], error: undefined });
  });

  itInPieces('joins chunks that split a character, a newline or a keep-alive line', async () => {
    const bytes = Buffer.from('{"a":"€🎉"}\r\n\n{"b":"2"}\r\n');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    expect(await read(rowStream(...pieces))).toEqual({ read: [{ a: '€🎉' }, { b: '2' }], error: undefined });
  });

  itInPieces('yields received rows while the response is still open', async () => {
    const { client } = await start({ ...rowStream('{"a":"1"}\n\n', '{"a":"2"}\n{"a'), ending: 'silence' });
    const read: unknown[] = [];
    for await (const row of client.streamingQuery('*', { isLive: true })) {
      read.push(row);
      if (read.length === 2) break;
    }
    expect(read).toEqual([{ a: '1' }, { a: '2' }]);
  });

  it('yields a row of more than 2 MB', async () => {
    const row = { _collected: 'é'.repeat(1_200_000) };
    const { read: values } = await read(rowStream(rows(row, { a: '1' })));
    expect(values).toEqual([row, { a: '1' }]);
  });

  // One carrier is enough, because the code is the same and the data large.
  it.skipIf(carrier !== CARRIERS[0])('rejects a line over 64 MiB with LOG_BAD_ANSWER', async () => {
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
  ])('throws LogConnectionDroppedException if the response ends in the middle of %s', async (_, body) => {
    const { read: values, error } = await read(rowStream(body));
    expect(values).toEqual([{ a: '1' }]);
    expect(error).toBeInstanceOf(LogConnectionDroppedException);
    expect(error).toMatchObject({
      code: 'LOG_CONNECTION_DROPPED',
      message: `The response to POST ${QUERY} ended in the middle of a line.`,
    });
  });

  it('yields a complete last row without a newline', async () => {
    expect(await read(rowStream('{"a":"1"}\n{"a":"2"}'))).toMatchObject({ read: [{ a: '1' }, { a: '2' }] });
  });

  itCuts(
    'throws LogConnectionDroppedException after the received rows if the connection is reset',
    async () => {
      const { read: values, error } = await read({ ...rowStream('{"a":"1"}\n', '{"a":"2'), ending: 'reset' });
      expect(values).toEqual([{ a: '1' }]);
      expect(error).toBeInstanceOf(LogConnectionDroppedException);
    },
  );

  it.each([
    ['a line that is not JSON', '{"a":"1"}\nUpstream failed\n{"a":"2"}\n'],
    ['an array in place of rows', '[{"a":"1"},{"a":"2"}]\n'],
    ['a text in place of a row', '"a"\n'],
    ['null in place of a row', 'null\n'],
  ])('rejects %s with LOG_BAD_ANSWER, its number and its text', async (_, body) => {
    const { error } = await read(rowStream(body));
    const bad = body.split('\n').findIndex((line) => !/^\{.*\}$/.test(line));
    const message = `Line ${bad + 1} of the response to a streaming query is not a JSON object: ${body.split('\n')[bad]}`;
    expect(error).toMatchObject({ code: 'LOG_BAD_ANSWER', message });
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
  ])('throws an error with the cause before the first row: %s', async (_, turn: Reply, type, message) => {
    const { error } = await read(turn);
    expect(error).toBeInstanceOf(type);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain(TOKEN);
  });

  it('fails with a timeout when response headers do not arrive within timeoutMs', async () => {
    const { client } = await start('silence');
    const reading = collect(client.streamingQuery('*', { timeoutMs: 40 }));
    await expect(reading).rejects.toBeInstanceOf(LogTimeoutException);
  });

  it('sends the query options as JSON and accepts application/x-ndjson', async () => {
    const { client, service } = await start(rowStream());
    await collect(
      client.streamingQuery('host=?host | count()', {
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
      queryString: 'host=?host | count()',
      start: '2h',
      end: 1_770_109_200_000,
      timeZoneOffsetMinutes: 120,
      arguments: { host: 'web-7' },
      languageVersion: 'legacy',
    });
  });

  itOnTheWire('accepts gzip unless the query is live', async () => {
    const { client, service } = await start(rowStream());
    await collect(client.streamingQuery('*'));
    await expect(collect(client.streamingQuery('*', { isLive: true }))).rejects.toThrow('ended a live query');
    expect(service.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      expect.stringMatching(/^gzip/),
      'identity',
    ]);
  });
});
