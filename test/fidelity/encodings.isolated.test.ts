import { constants, createGzip, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { LogConnectionDroppedException, LogException, LogHTTPException } from '../../src/core/errors.ts';
import { collect } from '../helpers/collect.ts';
import { CARRIERS, connect } from './carriers.ts';
import { json, rowStream, rows, textError } from './replies.ts';
import type { Reply } from './service-script.ts';

const STATUS = { status: 'OK', version: '1.189.0--build-1--sha-0', note: 'é'.repeat(5_000) };
const CODINGS = [
  ['gzip', gzipSync],
  ['x-gzip', gzipSync],
  ['GZIP', gzipSync],
] as const;

function encoded(reply: Reply, coding: string, encode: (body: Buffer) => Uint8Array): Reply {
  const body = encode(Buffer.concat(reply.body.map((piece) => Buffer.from(piece))));
  return { ...reply, headers: { ...reply.headers, 'content-encoding': coding }, body: [body] };
}

describe.each(CARRIERS)('Compressed responses over $name', (carrier) => {
  const hasCodings = carrier.can.includes('codings');
  const itInPieces = it.skipIf(!hasCodings || !carrier.can.includes('pieces'));
  const itOnTheWire = it.skipIf(!carrier.can.includes('wire'));
  // A custom fetch decompresses itself, and handles invalid data in its own way.
  const isOwnDecoder = !carrier.name.startsWith('fetch');
  const itDecodes = it.skipIf(!isOwnDecoder);
  const status = (reply: Reply) => connect(carrier, { 'GET /api/v1/status': [reply] });

  it.each(hasCodings ? CODINGS : CODINGS.slice(0, 1))('are decoded: %s', async (coding, encode) => {
    const { client } = await status(encoded(json(STATUS), coding, encode));
    expect(await client.getStatus()).toEqual(STATUS);
  });

  it.each(hasCodings ? CODINGS : CODINGS.slice(0, 1))(
    'are decoded as a stream: %s',
    async (coding, encode) => {
      const values = [{ a: 'é'.repeat(40_000) }, { a: '2' }];
      const { client } = await connect(carrier, {
        'POST /api/v1/repositories/sandbox/query': [encoded(rowStream(rows(...values)), coding, encode)],
      });
      expect(await collect(client.streamingQuery('*'))).toEqual(values);
    },
  );

  it('are decoded if they have an error status', async () => {
    const { client } = await status(encoded(textError(403, 'not authorized to see this'), 'gzip', gzipSync));
    await expect(client.getStatus()).rejects.toThrow('not authorized to see this');
  });

  it.skipIf(!hasCodings)('may have no body', async () => {
    const path = '/api/v1/repositories/sandbox/queryjobs';
    const { client, calls } = await connect(carrier, {
      [`POST ${path}`]: [json({ id: '1-a' })],
      [`DELETE ${path}/1-a`]: [{ status: 200, headers: { 'content-encoding': 'gzip' }, body: [] }],
    });
    await (await client.createQueryJob('*')).delete();
    expect(calls()).toHaveLength(2);
  });

  itInPieces('are yielded row by row as they arrive', async () => {
    const gzip = createGzip();
    const pieces: Buffer[] = [];
    gzip.on('data', (piece: Buffer) => pieces.push(piece));
    gzip.write('{"a":"1"}\n');
    await new Promise<void>((resolve) => gzip.flush(constants.Z_SYNC_FLUSH, resolve));
    const { headers } = encoded(rowStream(), 'gzip', gzipSync);
    const { client } = await connect(carrier, {
      'POST /api/v1/repositories/sandbox/query': [{ status: 200, headers, body: pieces, ending: 'silence' }],
    });
    for await (const row of client.streamingQuery('*')) {
      expect(row).toEqual({ a: '1' });
      break;
    }
  });

  it('cause an error if they are truncated', async () => {
    const cut = encoded(json(STATUS), 'gzip', (body) => gzipSync(body).subarray(0, -12));
    const { client } = await status(cut);
    const error = await client.getStatus().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogException);
    if (isOwnDecoder) expect(error).toBeInstanceOf(LogConnectionDroppedException);
  });

  itDecodes('cause a LogConnectionDroppedException if they are truncated between two rows', async () => {
    const cut = encoded(rowStream(rows({ a: '1' }, { a: '2' })), 'gzip', (body) =>
      gzipSync(body).subarray(0, -8),
    );
    const { client } = await connect(carrier, { 'POST /api/v1/repositories/sandbox/query': [cut] });
    const reading = collect(client.streamingQuery('*'));
    await expect(reading).rejects.toBeInstanceOf(LogConnectionDroppedException);
  });

  itDecodes.each([
    ['plain text that calls itself gzip', 'gzip', 'the body is not valid gzip'],
    ['a coding that no request offered', 'br', 'the Content-Encoding "br" is not gzip'],
  ])('that can not be read say so: %s', async (_, coding, reason) => {
    const { client } = await status(encoded(json(STATUS), coding, (body) => body));
    const error = await client.getStatus().catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(LogHTTPException);
    expect(error).toMatchObject({
      code: 'LOG_BAD_ANSWER',
      message: `The response to GET /api/v1/status can't be decoded: ${reason}.`,
    });
  });

  itDecodes('keep the status of an error if they cannot be decoded', async () => {
    const { client } = await status(encoded(textError(502, 'no'), 'zstd', (body) => body));
    await expect(client.getStatus()).rejects.toMatchObject({ code: 'LOG_HTTP', statusCode: 502 });
  });

  it('cause an error if they decompress to more than the limit of bytes()', async () => {
    const bomb = encoded(textError(200, ''), 'gzip', () => gzipSync(Buffer.alloc(5_000_000)));
    const { client } = await status(bomb);
    const response = await client.webCaller.callRest('GET', 'status');
    await expect(response.bytes(1_000_000)).rejects.toMatchObject({
      code: 'LOG_BAD_ANSWER',
      message: expect.stringContaining('larger than 1000000 bytes'),
    });
  });

  itOnTheWire("are requested with Accept-Encoding unless the caller's headers set it", async () => {
    const { client, service } = await status(json(STATUS));
    await client.getStatus();
    await client.getStatus({ headers: { 'Accept-Encoding': 'identity' } });
    expect(service.requests.map(({ headers }) => headers['accept-encoding'])).toEqual([
      expect.stringMatching(/^gzip/),
      'identity',
    ]);
  });
});
