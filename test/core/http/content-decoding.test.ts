import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnreadableBodyError } from '../../../src/core/http/http-adapter.ts';
import { decodedBody } from '../../../src/core/http/node/content-decoding.ts';
import { collect } from '../../helpers/collect.ts';
import { cases } from '../../helpers/laws.ts';

const ENCODERS = {
  gzip: gzipSync,
  'X-GZip': gzipSync,
  identity: (bytes: Uint8Array) => bytes,
} as const;

/** `bytes` in chunks of these lengths, and the rest in a last one. */
async function* pieces(bytes: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const length of lengths) {
    if (from >= bytes.byteLength) return;
    yield bytes.subarray(from, from + length);
    from += length;
  }
  if (from < bytes.byteLength) yield bytes.subarray(from);
}

async function read(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await collect(body));
}

describe('decodedBody()', () => {
  it('decodes a body however it was split into chunks', async () => {
    const coding = fc.constantFrom(...(Object.keys(ENCODERS) as (keyof typeof ENCODERS)[]));
    const lengths = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), coding, lengths, async (content, name, cuts) => {
        const body = pieces(ENCODERS[name](content), cuts);
        expect(await read(decodedBody(body, name))).toEqual(Buffer.from(content));
      }),
      cases(30),
    );
  });

  it('decompresses no faster than the body is read', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
    let sent = 0;
    async function* slowly(): AsyncGenerator<Uint8Array> {
      for await (const piece of pieces(bomb, Array<number>(1_000).fill(512))) {
        sent += piece.byteLength;
        yield piece;
      }
    }
    let received = 0;
    for await (const { byteLength } of decodedBody(slowly(), 'gzip')) {
      received += byteLength;
      if (received > 2 ** 20) break;
    }
    expect(sent).toBeLessThan(bomb.byteLength / 2);
  });

  it('forwards the error of the connection', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield gzipSync('whole').subarray(0, 12);
      throw reset;
    }
    await expect(read(decodedBody(broken(), 'gzip'))).rejects.toBe(reset);
  });

  it('distinguishes truncated bytes from invalid bytes', async () => {
    const cut = read(decodedBody(pieces(gzipSync('whole').subarray(0, -2), []), 'gzip'));
    await expect(cut).rejects.toMatchObject({ code: 'Z_BUF_ERROR' });
    const other = read(decodedBody(pieces(Buffer.from('not compressed'), []), 'gzip'));
    await expect(other).rejects.toBeInstanceOf(UnreadableBodyError);
  });

  it('rejects an unknown Content-Encoding with only the first 40 characters of its name', async () => {
    const unknown = read(decodedBody(pieces(Buffer.from('x'), []), 'y'.repeat(5_000)));
    await expect(unknown).rejects.toThrow(/^the Content-Encoding "y{40}" is not gzip$/);
  });
});
