import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

function bench(...args: string[]) {
  return spawnSync(process.execPath, ['bench/run.mjs', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 25_000,
  });
}

/** The rows of the only table, by header. */
function tableOf(markdown: string): Record<string, string>[] {
  const lines = markdown.split('\n').filter((line) => line.startsWith('| '));
  const [header = [], , ...rows] = lines.map((line) => line.slice(2, -2).split(' | '));
  return rows.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])));
}

/** The number at the start of a cell; a ratio may follow. */
const numberIn = (cell = '') => Number.parseFloat(cell.replaceAll(',', ''));

test('the benchmark "transports" prints a row for each logger, with all records delivered', () => {
  const loggers = ['undici posting prepared batches', 'logclient pino in-process'];
  const { stdout, stderr, status } = bench(
    ...['transports', '--tiny', '--records', '300', '--loggers', loggers.join(',')],
  );
  expect(stderr).toBe('');
  expect(status).toBe(0);
  expect(stdout).toContain('### transports: transports at full speed\n\n| logger | delivered records/s |');
  const rows = tableOf(stdout);
  expect(rows.map(({ logger, delivered }) => [logger, delivered])).toEqual(
    loggers.map((logger) => [logger, 'all']),
  );
  for (const row of rows) {
    expect(numberIn(row['delivered records/s'])).toBeGreaterThan(0);
    expect(numberIn(row['CPU us/record'])).toBeGreaterThan(0);
    expect(numberIn(row['peak RSS, MB'])).toBeGreaterThan(10);
  }
  // Compressed, but not empty: the bodies were really sent.
  expect(numberIn(rows[1]?.['wire B/record'])).toBeGreaterThan(10);
});

/** Python reads the CPU time of a child process, which Node can't. */
const hasPython = spawnSync('python3', ['--version']).status === 0;

test.skipIf(!hasPython)(
  'the benchmark "start" measures the CLI and programs that deliver all their records',
  () => {
    const loggers = ['pino to a file', 'logclient pino', 'logclient winston in-process'];
    const { stdout, stderr, status } = bench('start', '--tiny', '--loggers', loggers.join(','));
    expect(stderr).toBe('');
    expect(status).toBe(0);
    const rows = tableOf(stdout);
    expect(rows.map(({ program, delivered }) => [program, delivered])).toEqual([
      ...loggers.map((logger) => [logger, 'all']),
      ['node -e 0', '-'],
      ['logclient --version', '-'],
      ['logclient --help', '-'],
    ]);
    for (const row of rows) {
      expect(numberIn(row['CPU, ms'])).toBeGreaterThan(1);
      expect(numberIn(row['peak RSS, MB'])).toBeGreaterThan(10);
    }
    expect(rows[1]?.['CPU ratio']).toMatch(/^\d+\.\d\dx pino to a file$/);
  },
);

test('the benchmark script rejects an unknown question or logger and lists the known ones', () => {
  const question = bench('transport', '--tiny');
  expect(question.stderr).toContain('There is no question transport: transports, start,');
  expect(question.status).not.toBe(0);
  const logger = bench('transports', '--tiny', '--loggers', 'pino-nowhere');
  expect(logger.stderr).toContain('There is no logger pino-nowhere: own, baselines,');
  expect(logger.status).not.toBe(0);
});

test('medianRatio() compares measurements of the same round', async () => {
  const { medianRatio } = (await import(pathToFileURL(resolve(ROOT, 'bench/rounds.mjs')).href)) as {
    medianRatio(results: object[], others: object[] | undefined, name: string): number | undefined;
  };
  const us = (...numbers: (number | undefined)[]) => numbers.map((cpuUs) => ({ cpuUs }));
  // The second round was disturbed; in the last, the other side failed.
  expect(medianRatio(us(3, 90, 4, 5), us(2, 60, 2), 'cpuUs')).toBe(1.5);
  expect(medianRatio(us(1, undefined, 4), us(0, 1, 1), 'cpuUs')).toBe(4);
  expect(medianRatio(us(1), undefined, 'cpuUs')).toBeUndefined();
});
