import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ASSERTION_TARGET } from '../../src/testing/assertions/assertion-target.ts';
import { configureLogTests, startLogTest, writeHtmlReport } from '../../src/testing/index.ts';
import { assignLogTest, beginTest, describeTestLogs } from '../../src/testing/report/test-logs.ts';
import { log } from './log.ts';

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'log-reports-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

const RECORD = { '@timestamp': 1, '@id': 'a', msg: 'hello' };

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

  it('keeps existing reports and numbers the new ones', async () => {
    const dir = join(await folder(), 'new/log-reports');
    const write = () => basename(writeHtmlReport({ dir, name: 'pays', records: [RECORD] }));
    expect([write(), write(), write()]).toEqual(['pays.html', 'pays-2.html', 'pays-3.html']);
  });

  it('escapes every < in records, fields and names', async () => {
    const records = [{ ...RECORD, msg: '</script><!--<script>', '<b>': '<' }];
    const html = await readFile(writeHtmlReport({ dir: await folder(), name: '</title>', records }), 'utf8');
    const [, data] = /<script type="application\/json" id="logclient-report">(.*?)<\/script>\n/.exec(html)!;
    expect(data).not.toContain('<');
    expect(JSON.parse(data!)).toMatchObject({
      name: '</title>',
      records: [{ ...records[0], '@timestamp': '1' }],
    });
    expect(html.match(/<\/title>/g)).toHaveLength(1);
    // The data and two scripts: no string in them ends a script element.
    expect(html.match(/<\/script>/g)).toHaveLength(3);
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
  });
});

describe('configureLogTests()', () => {
  const PAYS = { id: 'p', name: 'pays', concurrent: true };

  async function reportedText(): Promise<string | undefined> {
    await using logs = await startLogTest();
    assignLogTest(logs[ASSERTION_TARGET].source, PAYS.id);
    await log(logs, [{ msg: 'paid' }]);
    await beginTest(PAYS);
    return await describeTestLogs(PAYS);
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
