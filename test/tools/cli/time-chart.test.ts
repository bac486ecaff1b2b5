import pc from 'picocolors';
import { describe, expect, it } from 'vitest';
import type { Row, Surface } from '../../../src/tools/output/row-format.ts';
import { tableFormat } from '../../../src/tools/output/table.ts';
import { widthOf } from '../../../src/tools/output/text-width.ts';

const surface: Surface = {
  isTerminal: true,
  width: 60,
  colors: pc.createColors(false),
  timeZone: 'UTC',
  draws: true,
  warn: () => {},
};

function chartOf(rows: readonly Row[], columns: readonly string[], changes: Partial<Surface> = {}): string {
  const format = tableFormat({ isAggregate: true, columns, isEndless: false }, { ...surface, ...changes });
  return format.rows(rows) + [...format.end()].join('');
}

/** Errors rise from 0 to 2 while there are always 4 records at info. */
const LEVELS: readonly Row[] = [0, 1, 2].flatMap((bucket) => [
  { _bucket: String(bucket * 60_000), level: 'error', _count: String(bucket) },
  { _bucket: String(bucket * 60_000), level: 'info', _count: '4' },
]);
const COLUMNS = ['_bucket', 'level', '_count'];

describe('Chart of time buckets', () => {
  it.each([60, 100, 200])('stacks counts in eight rows, with axes and a legend, in %i columns', (width) => {
    expect(chartOf(LEVELS, COLUMNS, { width })).toBe(`\
6 ┤                ▓▓▓▓▓▓▓▓
  │        ▅▅▅▅▅▅▅▅▓▓▓▓▓▓▓▓
  │▃▃▃▃▃▃▃▃▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
  │▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
3 ┤▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓
  │▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓████████
  │▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓▓████████
  │▓▓▓▓▓▓▓▓████████████████
0 └────────────────────────
   1970-01-01 00:00 … 1970-01-01 00:02
█ error max 2   ▓ info max 4
`);
  });

  it.each([60, 100, 200])('fills a terminal of %i columns and never exceeds its width', (width) => {
    const rows = Array.from({ length: 300 }, (_, bucket) =>
      ['error', 'warn', 'info', 'a service with a long name', 'another one with a long name'].map(
        (key, n) => ({
          _bucket: String(bucket * 60_000),
          key,
          _count: String((bucket * (n + 1)) % 17),
        }),
      ),
    ).flat();
    const lines = chartOf(rows, ['_bucket', 'key', '_count'], { width }).trimEnd().split('\n');
    const longest = Math.max(...lines.map(widthOf));
    expect(longest).toBeLessThanOrEqual(width);
    expect(longest).toBeGreaterThanOrEqual(Math.min(160, width));
    expect(lines.join(' ')).toContain('another one with a long name max 16');
  });

  it('draws _avg and _max below each other with one scale', () => {
    const rows = [0, 1].map((bucket) => ({
      _bucket: String(bucket * 60_000),
      _avg: String(10 + bucket * 10),
      _max: String(80 * (bucket + 1)),
    }));
    const text = chartOf(rows, ['_bucket', '_avg', '_max']);
    expect(text.match(/^200 ┤/gm)).toHaveLength(2);
    expect(text).toContain('_avg max 20\n');
    expect(text).toContain('_max max 160\n');
    expect(text.match(/└/g)).toHaveLength(1);
  });

  it('draws error in red and info in green', () => {
    const colors = pc.createColors(true);
    const text = chartOf(LEVELS, COLUMNS, { colors });
    expect(text).toContain(colors.red('████████'));
    expect(text).toContain(colors.green('████████'));
    expect(text).not.toContain('▓');
  });

  it('of one series whose name is a number is named by it, as the metadata of the result says', () => {
    const rows = [0, 1].map((bucket) => ({ _bucket: String(bucket * 60_000), status: '500', _count: '2' }));
    const columns = ['_bucket', 'status', '_count'];
    const shape = { isAggregate: true, columns, isEndless: false };
    const textOf = (groups: readonly string[]): string => {
      const format = tableFormat({ ...shape, groups }, surface);
      return format.rows(rows) + [...format.end()].join('');
    };
    expect(textOf(['status'])).toContain('500 max 2\n');
    expect(textOf([])).toContain('status max 500');
  });

  it('falls back to a table with --no-chart and for negative values', () => {
    expect(chartOf(LEVELS, COLUMNS, { draws: false })).toContain('1970-01-01 00:01  error       1\n');
    const rows = LEVELS.map((row) => ({ ...row, _count: '-1' }));
    expect(chartOf(rows, COLUMNS)).toContain('1970-01-01 00:01  error      -1');
  });
});
