import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutgoingLines } from '../../../src/ingest/worker/outgoing-lines.ts';
import { countLines } from '../../../src/ingest/worker/worker-progress.ts';

/** What a worker has that has read all the text, and has taken over the lines that have ended. */
function behindLines(text: string, lines: number): string {
  return text.split('\n').slice(lines).join('\n');
}

function textOf(bytes: readonly Buffer[]): string {
  return Buffer.concat(bytes).toString();
}

describe('lines on their way to a worker', () => {
  it('are sent once and in order, and those that it has not taken are kept, however they were written', () => {
    const text = fc.oneof(
      fc.stringMatching(/^[ab\n€]{0,6}$/),
      // Longer than what fits in what is left of a page, and than a page.
      fc.nat({ max: 70_000 }).map((length) => `${'x'.repeat(length)}\n`),
    );
    const step = fc.record({ text, taken: fc.nat(), isSent: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const lines = new OutgoingLines();
        let written = '';
        let sent = '';
        let taken = 0;
        for (const { text: piece, taken: more, isSent } of steps) {
          lines.push(piece, taken);
          written += piece;
          if (isSent) sent += textOf(lines.send());
          expect(lines.unsentBytes).toBe(Buffer.byteLength(written) - Buffer.byteLength(sent));
          // A worker takes nothing that was not sent.
          taken += more % (countLines(sent) - taken + 1);
        }
        sent += textOf(lines.send());
        expect(sent).toBe(written);
        expect(lines.drain(taken)).toBe(behindLines(written, taken));
        expect(lines.drain(taken)).toBe('');
      }),
    );
  });

  it('are right when their number passes 32 bits', () => {
    let taken = 2 ** 31 - 3;
    const lines = new OutgoingLines(taken);
    for (let n = 0; n < 5; n++) {
      lines.push('line\n', taken);
      lines.send();
      taken = (taken + 1) | 0;
    }
    lines.push('first\nsecond\n', taken);
    expect(lines.drain((taken + 1) | 0)).toBe('second\n');
  });

  it('take no more memory than what the worker has still to take', () => {
    const lines = new OutgoingLines();
    const memories = new Set<unknown>();
    for (let n = 0; n < 20_000; n++) {
      lines.push(`${n} ${'x'.repeat(100)}\n`, Math.max(0, n - 50));
      for (const { buffer } of lines.send()) memories.add(buffer);
    }
    expect(memories.size).toBeLessThanOrEqual(3);
    expect(lines.drain(19_990).split('\n')).toHaveLength(11);
  });
});
