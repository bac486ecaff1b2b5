import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ASSERTION_TARGET } from '../../src/testing/assertions/verdict.ts';
import { configureLogTests, startLogTest, writeHtmlReport } from '../../src/testing/index.ts';
import { beginTest, describeTestLogs, noteLogTest } from '../../src/testing/report/test-logs.ts';
import { log } from './log.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'log-reports-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const RECORD = { '@timestamp': 1, '@id': 'a', msg: 'hello' };

/** The data in a report. */
async function dataOf(path: string): Promise<object> {
  const html = await readFile(path, 'utf8');
  const [, data] = /<script type="application\/json" id="logclient-report">(.*?)<\/script>\n/.exec(html)!;
  expect(data).not.toContain('<');
  return JSON.parse(data!);
}

describe('writeHtmlReport()', () => {
  it.each([
    ['pays a bill', 'pays-a-bill'],
    ['../../etc/passwd', 'etc-passwd'],
    ['a/b\\c:d*e?"f"<g>|h\0i\n', 'a-b-c-d-e-f-g-h-i'],
    ['платёж', 'платёж'],
    ['🎉', 'test'],
    ['..', 'test'],
    ['CON', 'test-CON'],
    ['漢'.repeat(100), '漢'.repeat(60)],
    ['\ud83c\udf89 \ud800 broken', 'broken'],
  ])('writes the report for the test %j to a file with a safe name', async (name, expected) => {
    const dir = await folder();
    const path = writeHtmlReport({ dir, name, records: [RECORD] });
    expect(path).toBe(join(dir, `${expected}.html`));
    expect(await readdir(dir)).toEqual([`${expected}.html`]);
  });

  it.runIf(process.platform === 'linux')("fails if its folder can't be created", () => {
    const write = () => writeHtmlReport({ dir: '/proc/logclient/reports', name: 'pays', records: [RECORD] });
    expect(write).toThrow('ENOENT');
  });

  it('keeps existing reports and numbers the new ones', async () => {
    const dir = join(await folder(), 'new/log-reports');
    const write = () => basename(writeHtmlReport({ dir, name: 'pays', records: [RECORD] }));
    expect([write(), write(), write()]).toEqual(['pays.html', 'pays-2.html', 'pays-3.html']);
  });

  it('escapes every < in records, fields and names', async () => {
    const records = [{ ...RECORD, msg: '</script><!--<script>', '<b>': '<' }];
    const path = writeHtmlReport({ dir: await folder(), name: '</title>', records });
    const html = await readFile(path, 'utf8');
    expect(await dataOf(path)).toMatchObject({
      name: '</title>',
      records: [{ ...records[0], '@timestamp': '1' }],
    });
    expect(html.match(/<\/title>/g)).toHaveLength(1);
    // The data and four scripts: no string in them ends a script element.
    expect(html.match(/<\/script>/g)).toHaveLength(5);
  });

  it('contains why the test failed and a query, without colors and with every < escaped', async () => {
    const failure = { message: '\u001b[31mNo record\u001b[39m matches: </script>', query: 'msg="</script>"' };
    const path = writeHtmlReport({ dir: await folder(), name: 'x', records: [RECORD], ...failure });
    expect(await dataOf(path)).toMatchObject({
      message: 'No record matches: </script>',
      query: 'msg="</script>"',
    });
    expect((await readFile(path, 'utf8')).match(/<\/script>/g)).toHaveLength(5);
  });

  it('contains the icon, because its policy allows no request', async () => {
    const html = await readFile(
      writeHtmlReport({ dir: await folder(), name: 'x', records: [RECORD] }),
      'utf8',
    );
    expect(html).not.toContain('icon.svg');
    // The mark on the page, and the icon of the tab.
    expect(html.match(/data:image\/svg\+xml;base64,/g)).toHaveLength(2);
  });

  it.runIf(process.platform === 'linux')('throws if the folder accepts no file', () => {
    expect(() => writeHtmlReport({ dir: '/proc', name: 'x', records: [RECORD] })).toThrow('ENOENT');
  });

  it('rejects missing or invalid options', () => {
    expect(() => writeHtmlReport({ dir: '', name: 'x', records: [] })).toThrow(
      'writeHtmlReport: "dir" must be a non-empty string (got "").',
    );
    const records = Promise.resolve([]) as unknown as [];
    expect(() => writeHtmlReport({ dir: 'x', name: 'x', records })).toThrow(
      /"records" must be an array.*await/,
    );
    expect(() => writeHtmlReport({ dir: 'x', name: 'x', records: [], query: 7 as never })).toThrow(
      'writeHtmlReport: "query" must be a string (got 7).',
    );
  });
});

describe('configureLogTests()', () => {
  const PAYS = { id: 'p', name: 'pays', concurrent: true };

  async function reportedText(errors: readonly unknown[] = []): Promise<string | undefined> {
    await using logs = await startLogTest();
    noteLogTest(logs[ASSERTION_TARGET], PAYS.id);
    await log(logs, [{ msg: 'paid' }]);
    await beginTest(PAYS);
    return await describeTestLogs({ ...PAYS, errors });
  }

  it('writes no report unless a folder is set', async () => {
    const htmlReport = await folder();
    onTestFinished(() => configureLogTests({}));
    configureLogTests({ htmlReport });
    expect(await reportedText()).toMatch(/paid\nSearch these logs: file:\/\/\/.*\/pays\.html$/);
    configureLogTests({});
    expect(await reportedText()).toMatch(/paid$/);
    expect(await readdir(htmlReport)).toEqual(['pays.html']);
  });

  it.each<[string, readonly unknown[], string]>([
    ['errors of other kinds by name', [new TypeError('x is null')], 'TypeError: x is null'],
    ['each of several, once', [new Error('a'), new Error('b'), new Error('a')], 'a\n\nb'],
    ['what was thrown without being an error', ['stop', null, { code: 7 }], 'stop\n\nnull\n\n{ code: 7 }'],
    ['the second error of Jest if it has no first one', [[undefined, new Error('timed out')]], 'timed out'],
    ['nothing if its runner gives no reason', [], ''],
  ])('writes why a test failed: %s', async (_, errors, message) => {
    const htmlReport = await folder();
    onTestFinished(() => configureLogTests({}));
    configureLogTests({ htmlReport });
    await reportedText(errors);
    expect(await dataOf(join(htmlReport, 'pays.html'))).toMatchObject({ message, query: '' });
  });

  it("leaves the failed test's logs in the output if the folder cannot be created", async () => {
    onTestFinished(() => configureLogTests({}));
    const file = join(await folder(), 'file');
    await writeFile(file, '');
    configureLogTests({ htmlReport: file });
    expect(await reportedText()).toMatch(
      /paid\nThe HTML report could not be written to ".*\/file" \(htmlReport\)\. EEXIST/,
    );
  });

  it('rejects unknown settings and a folder without a name', () => {
    expect(() => configureLogTests({ htmlReports: 'x' } as never)).toThrow(/htmlReports/);
    expect(() => configureLogTests({ htmlReport: '' })).toThrow('"htmlReport" must be a non-empty string');
  });
});
