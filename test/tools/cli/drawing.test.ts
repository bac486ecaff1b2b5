import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { bar } from '../../../src/tools/output/bar.ts';
import { wantsColors } from '../../../src/tools/output/colors.ts';
import { ProgressBar } from '../../../src/tools/output/progress-bar.ts';
import { stackedColumns } from '../../../src/tools/output/stacked-columns.ts';
import { widthOf } from '../../../src/tools/output/text-width.ts';
import { cases } from '../../helpers/laws.ts';

const paint = (_: number, text: string): string => text;

describe('stackedColumns() and bar()', () => {
  it('never exceed the given width', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.nat(1000), { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 80 }),
        fc.integer({ min: 1, max: 50 }),
        (stacks, width) => {
          const lines = stackedColumns(stacks, { top: 2000, width, fillOf: () => '█', paint });
          expect(lines).toHaveLength(8);
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
          expect(lines.at(-1)!.trim() === '').toBe(stacks.every(([a, b]) => a! + b! === 0));
        },
      ),
      cases(),
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 40 }), (value, max, width) => {
        expect(bar(Math.min(value, max), max, width).length).toBeLessThanOrEqual(width);
      }),
      cases(),
    );
  });

  it('keep a peak when there are more values than columns', () => {
    const values = Array.from({ length: 1000 }, (_, index) => (index === 501 ? 9 : 0));
    const stacks = values.map((value) => [value]);
    const [top] = stackedColumns(stacks, { top: 9, width: 20, fillOf: () => '█', paint });
    expect(top).toBe(`${' '.repeat(10)}█${' '.repeat(9)}`);
  });

  it('draw at least a thin bar for a value above 0, and none for 0', () => {
    expect(bar(1, 1_000_000, 20)).toBe('▏');
    expect(bar(0, 10, 20)).toBe('');
    expect(bar(10, 10, 4)).toBe('████');
  });
});

describe('ProgressBar', () => {
  it.each([200, 50, 20, 4])(
    'stays on one line of %i columns and leaves room for the echo of Ctrl-C',
    async (columns) => {
      vi.stubEnv('TERM', 'xterm');
      const now = vi.spyOn(performance, 'now').mockReturnValue(0);
      onTestFinished(() => {
        now.mockRestore();
        vi.unstubAllEnvs();
      });
      const lines: string[] = [];
      const stream = { isTTY: true, columns, write: (text: string) => lines.push(text) > 0 };
      const bar = new ProgressBar(stream as unknown as NodeJS.WriteStream, true);
      await vi.dynamicImportSettled();
      now.mockReturnValue(1_000);
      bar.update(0.5, '1,234,567 events searched; Ctrl-C to stop');
      expect(lines).toHaveLength(1);
      const shown = lines[0]!.slice('\r\u001b[K'.length);
      expect(widthOf(shown) + '^C'.length).toBeLessThan(columns);
      bar.clear();
      expect(lines.at(-1)).toBe('\r\u001b[K');
    },
  );
});

interface Question {
  readonly isTerminal: boolean;
  readonly choice?: 'always' | 'never';
  readonly environment: Record<string, string>;
}

describe('wantsColors()', () => {
  it.each([
    ['a terminal', { isTerminal: true, environment: {} }, true],
    ['a pipe', { isTerminal: false, environment: {} }, false],
    ['a terminal with NO_COLOR', { isTerminal: true, environment: { NO_COLOR: '1' } }, false],
    ['a terminal with an empty NO_COLOR', { isTerminal: true, environment: { NO_COLOR: '' } }, true],
    ['a pipe with FORCE_COLOR', { isTerminal: false, environment: { FORCE_COLOR: '1' } }, true],
    ['a terminal with FORCE_COLOR=0', { isTerminal: true, environment: { FORCE_COLOR: '0' } }, false],
    ['both', { isTerminal: false, environment: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
    ['a pipe with CLICOLOR_FORCE', { isTerminal: false, environment: { CLICOLOR_FORCE: '1' } }, true],
    ['a dumb terminal', { isTerminal: true, environment: { TERM: 'dumb' } }, false],
    [
      '--color always and NO_COLOR',
      { choice: 'always', isTerminal: false, environment: { NO_COLOR: '1' } },
      true,
    ],
    [
      '--color never and FORCE_COLOR',
      { choice: 'never', isTerminal: true, environment: { FORCE_COLOR: '1' } },
      false,
    ],
  ] as [string, Question, boolean][])('returns whether to use colors for %s', (_, question, expected) => {
    expect(wantsColors(question.isTerminal, question.choice, question.environment)).toBe(expected);
  });
});
