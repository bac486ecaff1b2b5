import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { scenarioNamed } from '../../bench/compare/index.mjs';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const PAGE = read('docs/compared.md');

/** The names of loggers in the results, where they are not those of the page. */
const SHORT: Readonly<Record<string, string>> = {
  'pino logclient': '**pino worker**',
  'winston logclient': '**winston worker**',
  'pino-opentelemetry-transport': 'pino-otel',
  'pino-elasticsearch': 'pino-es',
  'winston-elasticsearch': 'winston-es',
};

type Row = Readonly<Record<string, string>>;

/** The rows of all tables, by column. */
function rowsOf(markdown: string): Row[] {
  return [...markdown.matchAll(/^\|.*\|\n\|[-:| ]+\|\n(?:\|.*\|\n)*/gm)].flatMap(([table]) => {
    const [header = [], , ...rows] = table
      .trim()
      .split('\n')
      .map((line) => line.slice(2, -2).split(' | '));
    return rows.map((cells) => Object.fromEntries(header.map((name, i) => [name, cells[i]!])));
  });
}

/** What the page says about a cell of the results. */
function lossOf(cell: string, records: number): string {
  const lost = Number(/-(\d+)/.exec(cell)?.[1] ?? 0);
  const share = lost === 0 ? '0' : `${Math.round((lost / records) * 100)} %`;
  return [
    share,
    ...(cell.includes('silent') ? ['silent'] : []),
    ...(cell.includes('crash') ? ['exit 1'] : []),
  ].join(', ');
}

it('docs/compared.md has the losses of bench/compare/README.md', () => {
  const results = rowsOf(read('bench/compare/README.md'));
  const rows = rowsOf(PAGE).filter((row) => row.logclient !== undefined);
  expect(rows).toHaveLength(18);
  for (const row of rows) {
    const kind = row.pino === undefined ? 'winston' : 'pino';
    const [, name = ''] = /^`(.+?)`/.exec(row[kind]!)!;
    const { work } = scenarioNamed(name) as unknown as { work: { records: number } };
    for (const [logger, shown] of Object.entries(row).filter(([column]) => column !== kind)) {
      const column = SHORT[`${kind} ${logger}`] ?? SHORT[logger] ?? logger;
      const cell = results.find((result) => result.scenario === name && result[column] !== undefined)![
        column
      ]!;
      // Our loggers keep the promise to lose only the record at fault.
      const expected = shown === 'that one' && cell === 'ok' ? shown : lossOf(cell, work.records);
      expect({ name, logger, shown }).toEqual({ name, logger, shown: expected });
    }
  }
});

it('docs/compared.md has the versions of bench/compare/peers/package.json', () => {
  const { dependencies } = JSON.parse(read('bench/compare/peers/package.json'));
  // The page names the packages that programs use, not what these need.
  const { '@logtail/node': _, ...used } = dependencies;
  const named = Object.entries(used).map((entry) => entry.join(' '));
  expect(named.filter((text) => !PAGE.includes(text))).toEqual([]);
});

it('docs/compared.md has the ratios of bench/README.md', () => {
  const [, peers = ''] = read('bench/README.md').split('\nThe fastest other packages');
  const results = rowsOf(peers);
  const rows = rowsOf(PAGE).filter((row) => row['CPU per record'] !== undefined);
  expect(rows).toHaveLength(12);
  for (const row of rows) {
    const result = results.find(({ logger }) => logger === row.logger)!;
    const ratio = (column: string, digits: number) =>
      Number(/\(([\d.]+)x\)/.exec(result[column]!)![1]).toFixed(digits);
    const [, done, all] = /(\d+) of (\d+)/.exec(result.delivered!.replaceAll(',', '')) ?? [];
    const lost = Number(all ?? 0) - Number(done ?? 0);
    const most = lost === 0 ? 'all' : `all but ${lost}`;
    expect(row).toEqual({
      logger: row.logger,
      'records/s': ratio('delivered records/s', 2),
      'CPU per record': ratio('CPU us/record', 1),
      'peak memory': ratio('peak RSS, MB', 1),
      delivered: lost < 100 ? most : `${Math.round((Number(done) / Number(all)) * 100)} %`,
    });
  }
});
