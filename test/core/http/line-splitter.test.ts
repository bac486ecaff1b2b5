import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../src/core/line-splitter.ts';
import { cases } from '../../helpers/laws.ts';

function split(bytes: Uint8Array, sizes: readonly number[]): string[] {
  const splitter = new LineSplitter();
  const lines: string[] = [];
  let from = 0;
  for (const size of sizes) {
    lines.push(...splitter.push(bytes.subarray(from, from + size)));
    from += size;
  }
  lines.push(...splitter.push(bytes.subarray(from)), ...splitter.flush());
  return lines;
}

describe('LineSplitter', () => {
  it('splits lines at LF and CRLF, but not at a lone CR or U+2028, without blank ones', () => {
    expect(split(Buffer.from('a\r\nb\n\nc\rd\u2028e'), [])).toEqual(['a', 'b', 'c\rd\u2028e']);
  });

  it('returns a last line without a newline', () => {
    expect(split(Buffer.from('a\nb'), [])).toEqual(['a', 'b']);
    expect(split(Buffer.from('a\n'), [])).toEqual(['a']);
  });

  it('returns the same lines however the bytes are split', () => {
    const text = fc
      .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '🎉', 'é')))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(7)), (whole, sizes) => {
        const bytes = Buffer.from(whole);
        const plain = new TextDecoder().decode(bytes).split('\n');
        const lines = plain.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
        const expected = lines.filter((line) => line.trim() !== '');
        expect(split(bytes, sizes)).toEqual(expected);
      }),
      cases(),
    );
  });

  it('returns the parts of an incomplete line without splitting a character', () => {
    const text = fc.array(fc.constantFrom('a', 'é', '€', '🎉', '\r', ' ')).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, fc.array(fc.nat(20)), (line, sizes) => {
        const splitter = new LineSplitter();
        const bytes = Buffer.from(line);
        let parts = '';
        let from = 0;
        for (const size of sizes) {
          splitter.push(bytes.subarray(from, from + size));
          parts += splitter.takeBeginning();
          expect(splitter.beginningBytes).toBeLessThan(8);
          from += size;
        }
        splitter.push(bytes.subarray(from));
        expect(parts + splitter.push(Buffer.from('.\n')).join('\n')).toBe(`${line}.`);
      }),
      cases(),
    );
  });

  it('returns bytes that are not UTF-8 as parts, too', () => {
    const splitter = new LineSplitter();
    splitter.push(Buffer.alloc(100, 0x80));
    expect(splitter.takeBeginning().length).toBeGreaterThan(90);
    splitter.push(Buffer.of(0xff));
    expect(splitter.takeBeginning() + splitter.flush().join()).not.toBe('');
  });

  // Searching or copying the line again for each chunk would take a minute, and the time limit of a test is 30 s.
  it('joins a line of 32,000 pieces in linear time', () => {
    const splitter = new LineSplitter();
    const piece = Buffer.alloc(1_024, 'x');
    for (let n = 0; n < 32_000; n++) splitter.push(piece);
    expect(splitter.beginningBytes).toBe(32_000 * piece.length);
    expect(splitter.push(Buffer.from('\n'))[0]).toHaveLength(32_000 * piece.length);
  });

  it('removes a byte order mark at the start', () => {
    expect(split(Buffer.from('\ufeffa\n\ufeffb'), [1])).toEqual(['a', '\ufeffb']);
  });
});
