import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineBytes, lineText } from '../../../src/ingest/record/line-bytes.ts';
import { cases } from '../../helpers/laws.ts';

function take(lines: LineBytes): string[] {
  const taken: string[] = [];
  for (; lines.hasLine(); lines.drop()) taken.push(lineText(lines));
  return taken;
}

const piece = fc.oneof(
  { weight: 9, arbitrary: fc.stringMatching(/^[ab€😀\r\n]{0,8}$/u) },
  // Longer than the unit of encoding.
  { weight: 1, arbitrary: fc.nat({ max: 140_000 }).map((length) => `${'x'.repeat(length)}😀\n`) },
);

it('LineBytes splits text into the same lines regardless of its chunks', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const lines = new LineBytes();
      const taken = pieces.flatMap((text) => {
        lines.push(text);
        return take(lines);
      });
      lines.finish();
      taken.push(...take(lines));
      const expected = pieces.join('').split('\n');
      if (expected.at(-1) === '') expected.pop();
      expect(taken).toEqual(expected.map((line) => line.replace(/\r$/, '')));
      expect(lines.hasLine()).toBe(false);
    }),
    cases(),
  );
});

it('LineBytes returns the same line until it is dropped', () => {
  const lines = new LineBytes();
  lines.push('first\nsecond\n');
  for (let n = 0; n < 3; n++) expect([lines.hasLine(), lineText(lines)]).toEqual([true, 'first']);
  lines.drop();
  expect([lines.hasLine(), lineText(lines)]).toEqual([true, 'second']);
});

it('LineBytes reads a line of 1,000 chunks and releases its memory', () => {
  const lines = new LineBytes();
  const chunk = 'x'.repeat(64 * 1024);
  for (let n = 0; n < 1_000; n++) {
    lines.push(chunk);
    expect(lines.hasLine()).toBe(false);
  }
  lines.push('\nshort\n');
  expect(lines.hasLine()).toBe(true);
  expect(lines.end - lines.start).toBe(1_000 * chunk.length);
  lines.drop();
  expect(take(lines)).toEqual(['short']);
  lines.push('next\n');
  expect(take(lines)).toEqual(['next']);
  expect(lines.bytes.length).toBeLessThan(1024 * 1024);
});

it('LineBytes encodes a large text piece by piece', () => {
  const lines = new LineBytes();
  lines.push('a line\n'.repeat(150_000));
  let largest = 0;
  for (; lines.hasLine(); lines.drop()) largest = Math.max(largest, lines.bytes.length);
  expect(largest).toBeLessThan(256 * 1024);
});
