import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UntakenLines } from '../../../src/ingest/worker/untaken-lines.ts';
import { countLines } from '../../../src/ingest/worker/worker-progress.ts';

/** What a worker has that has read all the text, and has taken over the lines that have ended. */
function behindLines(text: string, lines: number): string {
  return text.split('\n').slice(lines).join('\n');
}

describe('the lines that a worker has not taken', () => {
  it('are what is behind those that it has taken, however they were written', () => {
    const text = fc.stringMatching(/^[ab\n]{0,6}$/);
    fc.assert(
      fc.property(fc.array(text), fc.array(fc.nat()), (texts, steps) => {
        const untaken = new UntakenLines();
        let written = '';
        let taken = 0;
        for (const [index, piece] of texts.entries()) {
          untaken.push(piece, taken);
          written += piece;
          taken += (steps[index] ?? 0) % (countLines(written) - taken + 1);
        }
        expect(untaken.drain(taken).join('')).toBe(behindLines(written, taken));
        expect(untaken.drain(taken)).toEqual([]);
      }),
    );
  });

  it('are right when their number passes 32 bits', () => {
    let taken = 2 ** 31 - 3;
    const untaken = new UntakenLines(taken);
    for (let n = 0; n < 5; n++) {
      untaken.push('line\n', taken);
      taken = (taken + 1) | 0;
    }
    untaken.push('first\nsecond\n', taken);
    expect(untaken.drain((taken + 1) | 0)).toEqual(['second\n']);
  });

  it('are not kept when they have been taken', () => {
    const untaken = new UntakenLines();
    for (let n = 0; n < 20_000; n++) untaken.push(`${n}\n`, Math.max(0, n - 50));
    expect(untaken.drain(19_990)).toEqual(Array.from({ length: 10 }, (_, index) => `${19_990 + index}\n`));
  });
});
