import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrowserBuffer } from '../../src/server/browser/buffer.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';

/** With the interface of the real one. */
const Own = BrowserBuffer as unknown as typeof Buffer;

const text = fc.string({ unit: anyCharacter });
const bytes = fc.uint8Array();

describe('The Buffer of browsers', () => {
  it.each(['utf8', 'base64', 'base64url', 'hex', 'latin1'] as const)(
    'writes bytes as %s like that of Node.js',
    (encoding) => {
      fc.assert(
        fc.property(bytes, (given) => {
          expect(Own.from(given).toString(encoding)).toBe(Buffer.from(given).toString(encoding));
        }),
        cases(),
      );
    },
  );

  it.each(['utf8', 'base64', 'hex'] as const)('reads %s like that of Node.js', (encoding) => {
    fc.assert(
      fc.property(text, (given) => {
        const encoded = encoding === 'utf8' ? given : Buffer.from(given).toString(encoding);
        expect([...Own.from(encoded, encoding)]).toEqual([...Buffer.from(encoded, encoding)]);
        expect(Own.byteLength(given)).toBe(Buffer.byteLength(given));
      }),
      cases(),
    );
  });

  it('joins, compares and cuts bytes like that of Node.js', () => {
    fc.assert(
      fc.property(bytes, bytes, (left, right) => {
        expect([...Own.concat([left, right], left.length + right.length)]).toEqual([...left, ...right]);
        expect(Math.sign(Own.compare(left, right))).toBe(Buffer.compare(left, right));
        const view = Own.from(left.buffer as ArrayBuffer, 0, left.length).subarray(0, 5);
        expect(view.toString('utf8', 0, 3)).toBe(Buffer.from(left).subarray(0, 5).toString('utf8', 0, 3));
      }),
      cases(),
    );
  });
});
