import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutgoingLines } from '../../../src/ingest/worker/outgoing-lines.ts';
import { cases } from '../../helpers/laws.ts';

/** The size of the first lines of a text. */
function sizeOfLines(text: string, lines: number): number {
  const rest = text.split('\n').slice(lines).join('\n');
  return Buffer.byteLength(text) - Buffer.byteLength(rest);
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

/** The state of a worker that has read all the text, and has accepted its complete lines. */
function behindLines(text: string, lines: number): string {
  return text.split('\n').slice(lines).join('\n');
}

/** Sends all text in pieces. */
function sendAll(lines: OutgoingLines, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  const pieces: Buffer[] = [];
  for (let piece = lines.send(maxBytes); piece !== undefined; piece = lines.send(maxBytes)) {
    expect(piece.length).toBeGreaterThan(0);
    expect(piece.length).toBeLessThanOrEqual(maxBytes);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

describe('OutgoingLines', () => {
  it('sends lines once and in order, and keeps those that the worker has not accepted', () => {
    const text = fc.oneof(
      fc.stringMatching(/^[ab\n€]{0,6}$/),
      // Longer than the rest of a page, and than a page.
      fc.nat({ max: 70_000 }).map((length) => `${'x'.repeat(length)}\n`),
    );
    const maxBytes = fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1_000, max: 70_000 }));
    const step = fc.record({ text, taken: fc.nat(), sends: fc.nat({ max: 3 }), maxBytes });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lines = new OutgoingLines();
        let written = '';
        let sent = Buffer.alloc(0);
        let taken = 0;
        for (const { text: piece, taken: more, sends, maxBytes } of steps) {
          lines.push(piece, sizeOfLines(written, taken));
          written += piece;
          for (let n = 0; n < sends; n++)
            sent = Buffer.concat([sent, lines.send(maxBytes) ?? Buffer.alloc(0)]);
          expect(lines.unsentBytes).toBe(Buffer.byteLength(written) - sent.length);
          const sentLines = countLines(sent.toString());
          expect(lines.isAccepted(sizeOfLines(written, taken))).toBe(taken === sentLines);
          // A worker accepts only what was sent.
          taken += more % (sentLines - taken + 1);
        }
        sent = Buffer.concat([sent, sendAll(lines, 50_000)]);
        expect(sent.toString()).toBe(written);
        expect(lines.keptBytes).toBeGreaterThanOrEqual(Buffer.byteLength(behindLines(written, taken)));
        const takenBytes = sizeOfLines(written, taken);
        expect(lines.drain(takenBytes)).toBe(behindLines(written, taken));
        expect(lines.drain(takenBytes)).toBe('');
        expect(lines.keptBytes).toBe(0);
      }),
      cases(),
    );
  });

  it('counts accepted bytes correctly when the 32-bit counter overflows', () => {
    let taken = 2 ** 31 - 3;
    const lines = new OutgoingLines(taken);
    for (let n = 0; n < 5; n++) {
      lines.push('line\n', taken);
      sendAll(lines);
      expect(lines.isAccepted(taken)).toBe(false);
      taken = (taken + 'line\n'.length) | 0;
      expect(lines.isAccepted(taken)).toBe(true);
    }
    lines.push('first\nsecond\n', taken);
    expect(lines.drain((taken + 'first\n'.length) | 0)).toBe('second\n');
  });

  it('keeps less than 128 KiB while the worker is 50 lines behind', () => {
    const lines = new OutgoingLines();
    const memories = new Set<unknown>();
    const line = `${'x'.repeat(100)}\n`;
    for (let n = 0; n < 20_000; n++) {
      lines.push(line, Math.max(0, n - 50) * line.length);
      memories.add(lines.send(Number.POSITIVE_INFINITY)?.buffer);
      expect(lines.keptBytes).toBeLessThan(2 * 64 * 1024);
    }
    expect(memories.size).toBeLessThanOrEqual(3);
    expect(lines.drain(19_990 * line.length).split('\n')).toHaveLength(11);
  });
});
