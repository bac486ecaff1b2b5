import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLogTest, writeHtmlReport } from '../../src/testing/index.ts';
import { accessTo, runCommand } from '../helpers/cli-run.ts';
import { type LogFields, log } from '../testing/log.ts';
import { allRowMessages, openLink, openPage, openRecords, sendRecords, startServer } from './browser.ts';

const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const many = (count: number, name: (index: number) => string): NonNullable<LogFields> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), index]));

/** Records that programs really write, and what is odd about them. */
const ODD: readonly (readonly [string, NonNullable<LogFields>])[] = [
  ...INHERITED.map((name) => [`the level ${name}`, { level: name }] as const),
  ...INHERITED.map((name) => [`the field ${name}`, JSON.parse(`{"${name}":"x"}`)] as const),
  ...INHERITED.map((name) => [`the service ${name}`, { service: name }] as const),
  ['an object as the level', { level: { name: 'error' } }],
  ['a list as the level', { level: ['error', 'warn'] }],
  ['null as the level', { level: null }],
  ['an empty level', { level: '' }],
  ['a long level', { level: 'e'.repeat(5000) }],
  ['a negative level', { level: -1 }],
  ['a level with a newline', { level: 'er\nror' }],
  ['a bidi level', { level: '\u202Eerror' }],
  ['a stack without frames', { err: { stack: 'Error' } }],
  ['an empty stack', { err: { stack: '' } }],
  ['a stack that is a number', { stack: 5 }],
  ['a stack of closing braces', { stack: '}\n}\n}' }],
  ['a stack that is frames only', { stack: '    at f (/a.js:1:1)\n    at g (/b.js:1:1)' }],
  ['a stack of 5,000 causes', { stack: 'caused by: Error\n    at f (/a.js:1:1)\n'.repeat(5000) }],
  ['a link with a broken escape', { stack: 'Error\n    at f (file:///%E0%A4%A.js:1:1)' }],
  ['half of a character', { text: '\uD83D', other: '\uDE00' }],
  ['joined emoji', { text: '👨‍👩‍👧‍👦' }],
  ['colors of a terminal', { text: '\u001b[31mred\u001b[0m' }],
  ['control characters', { text: '\u0000\u0007\u001b\u007f' }],
  ['a field without a name', { '': 'x' }],
  ['a field with a bidi name', { '\u202Ename': 'x' }],
  ['a field with the name of a function', { 'count()': 'x', 'a | b': 'y' }],
  ['a field of stars', { '*': '*', 'a*': '*' }],
  ['5,000 fields', many(5000, (index) => `x${index}`)],
  ['a value of a megabyte', { text: 'x'.repeat(900_000) }],
  ['80 levels of depth', { deep: JSON.parse(`${'{"a":'.repeat(80)}1${'}'.repeat(80)}`) }],
  ['a list of 10,000 items', { numbers: Array.from({ length: 10_000 }, (_, index) => index) }],
  ['large numbers', { id: 12345678901234567890n.toString(), ratio: '1e400', tiny: '-0' }],
  ['the status NaN', { status: 'NaN', ms: 'Infinity' }],
  ['a duration of text', { duration: 'soon', ms: '' }],
  ['a broken time', { time: 'yesterday', timestamp: -1 }],
  ['a value that looks like a formula', { text: '=HYPERLINK("http://x.example")' }],
  ['a request ID of quotes', { reqId: `"'\\*` }],
];

const RECORDS = ODD.map(([title, record]) => ({ msg: title, ...record }));

async function expectAllShown(page: Page): Promise<void> {
  const messages = await allRowMessages(page, RECORDS.length);
  const isShown = (title: string): boolean => messages.some((message) => message.startsWith(title));
  expect(RECORDS.map(({ msg }) => msg).filter((title) => !isShown(String(title)))).toEqual([]);
}

/** The rows of NDJSON in an order that does not depend on that of rows and fields. */
function rowsOf(text: string): string[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => JSON.stringify(Object.entries(JSON.parse(line)).sort())).sort();
}

describe('Odd records', () => {
  async function open(hash: string): Promise<Page> {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    return openPage(server, { hash: `live=off&order=newest-first&${hash}` });
  }

  it.each([
    ['the list, and opened', ''],
    ['a table with a column for an inherited name', 'view=table&column=constructor&column=__proto__'],
    // In one run of all files, this hung for two minutes. The reason is not known yet.
  ])('are all shown in %s', { retry: 1, timeout: 60_000 }, async (_, hash) => {
    const page = await open(hash);
    await expectAllShown(page);
    expect(await page.getByText('NaN', { exact: true }).count()).toBe(0);
    for (const level of ['constructor', '__proto__']) {
      await page
        .locator('.level-button', { hasText: level })
        .or(page.locator('.histogram'))
        .first()
        .waitFor();
    }
    // Details are the same below a row of a table. The names of Object.prototype are the oldest records.
    if (hash !== '') return;
    await openRecords(page, RECORDS.length, RECORDS.length - 3 * INHERITED.length);
    expect(await page.getByText("can't be shown").count()).toBe(0);
  });

  it.each([
    ['a list', 'live=off', ''],
    ['a live list', '', ''],
    ['rows of select()', 'live=off', 'select([msg, text, id, ratio, tiny, constructor])'],
    ['groups', 'live=off', 'groupBy([level, constructor], limit=max)'],
  ])(
    'are exported from %s as they are shown, and as `logclient query` prints them',
    async (_, hash, query) => {
      const server = await startServer();
      await sendRecords(server, RECORDS);
      const page = await openPage(server, {
        hash: `${hash}&order=newest-first&q=${encodeURIComponent(query)}`,
      });
      await page.locator('.results:not([data-stale]) :is(.row, [role=row], .bars tr)').first().waitFor();
      if (query === '') await expectAllShown(page);
      await page.getByTitle('Export').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'NDJSON' }).click(),
      ]);
      const exported = rowsOf(await readFile((await download.path())!, 'utf8'));
      const words = ['query', query || '*', '--since', '1h', '--limit', '1000', '--output', 'ndjson'];
      const { code, stdout } = await runCommand(words, { env: accessTo(server) });
      expect(code).toBe(0);
      expect(exported).toEqual(rowsOf(stdout));
      if (query === '') expect(exported).toHaveLength(RECORDS.length);
    },
  );

  it('are shown by aggregates and select()', async () => {
    const page = await open('');
    await page.locator('.row').first().waitFor();
    for (const [query, shown] of [
      ['groupBy(level)', '.bars :text("hasOwnProperty")'],
      ['timeChart(level)', '.plot canvas'],
      ['groupBy([level, constructor])', '.bars :text("hasOwnProperty")'],
      ['select([constructor])', 'role=columnheader[name="constructor"]'],
    ] as const) {
      await page.evaluate(
        `location.hash = 'live=off&order=newest-first&q=' + encodeURIComponent('${query}')`,
      );
      await page.locator(shown).first().waitFor();
      expect(await page.getByRole('alert').count(), query).toBe(0);
    }
  });

  it('are all in the HTML report of a failed test', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'log-reports-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    await using logs = await startLogTest();
    await log(logs, RECORDS);
    const records = await logs.client.query('*', { start: 0 });
    const page = await openLink(
      `${pathToFileURL(writeHtmlReport({ dir, name: 'odd', records }))}#start=all&live=off&order=newest-first`,
    );
    await expectAllShown(page);
  });
});

it('Broken values of all keys in the storage of the browser do not stop the page', async () => {
  const server = await startServer();
  await sendRecords(server, [{ msg: 'hello' }]);
  const page = await openPage(server);
  for (const text of ['{broken', 'null', '[1,', '"x"', '{}']) {
    await page.locator('.row', { hasText: 'hello' }).waitFor();
    const keys = await page.evaluate<string[]>('Object.keys(localStorage)');
    expect(keys.length).toBeGreaterThan(2);
    await page.evaluate(
      `for (const key of Object.keys(localStorage)) if (key !== 'logclient.token') localStorage[key] = ${JSON.stringify(text)}`,
    );
    await page.reload();
  }
  await page.locator('.row', { hasText: 'hello' }).waitFor();
});
