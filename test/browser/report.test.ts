import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLogTest, writeHtmlReport } from '../../src/testing/index.ts';
import { type LogFields, log } from '../testing/log.ts';
import { openLink, rowMessages } from './browser.ts';

const HOSTILE = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1"><!--<script>';

/** Writes a report as a failed test does, and opens it as a file. */
async function openReport(
  records: readonly LogFields[],
  name = 'pays',
  failure: { message?: string; query?: string } = {},
): Promise<{ page: Page; requests: string[] }> {
  const dir = await mkdtemp(join(tmpdir(), 'log-reports-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await using logs = await startLogTest();
  await log(logs, records);
  const file = writeHtmlReport({
    dir,
    name,
    records: await logs.client.query('*', { start: 0 }),
    ...failure,
  });
  const page = await openLink('about:blank');
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  return { page, requests };
}

async function search(page: Page, query: string): Promise<void> {
  await page.locator('.cm-content').click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(query, { delay: 2 });
  await page.keyboard.press('Enter');
}

describe('HTML report of a failed test', () => {
  it('lists and searches its records without a network request', async () => {
    const { page, requests } = await openReport([
      { level: 'info', msg: 'charged', ms: 20 },
      { level: 'error', msg: 'card declined', ms: 30 },
    ]);
    await page.getByText('2 records').waitFor();
    expect(await rowMessages(page)).toEqual(['charged', 'card declined']);
    expect(await page.title()).toBe('pays – logclient');
    // It has neither a reason nor a failed query.
    expect(await page.locator('.test-failure').count()).toBe(0);
    expect(await page.locator('.cm-content').innerText()).not.toContain('charged');
    await page.getByRole('button', { name: /^error/ }).waitFor();

    await search(page, 'declined');
    await expect.poll(() => rowMessages(page)).toEqual(['card declined']);
    await search(page, 'groupBy(level, function=sum(ms)) | hash := crypto:md5(level)');
    // md5 of "error".
    await page.getByText('cb5e100e5a9a3e7f6d1fd97512215282').waitFor();
    await search(page, 'timeChart(level)');
    await page.locator('.plot canvas').waitFor();
    await search(page, 'groupBy(');
    await page.getByRole('alert').waitFor();
    expect(requests.filter((url) => !/^(?:file|data|blob):/.test(url))).toEqual([]);
    expect(requests.filter((url) => url.startsWith('file:'))).toHaveLength(1);
  });

  it('shows why the test failed above its records, and starts with the failed query', async () => {
    const message = `\u001b[31mNo record matches:\u001b[39m\n  level=error ${HOSTILE} \u202E`;
    const records = [
      { level: 'info', msg: 'charged & "sent" 50 %' },
      { level: 'info', msg: 'other' },
    ];
    const { page } = await openReport(records, 'pays', { message, query: 'msg="charged & \\"sent\\" 50 %"' });
    await expect.poll(() => rowMessages(page)).toEqual(['charged & "sent" 50 %']);
    expect(await page.locator('.cm-content').innerText()).toBe('msg="charged & \\"sent\\" 50 %"');
    const reason = page.locator('.test-failure pre');
    expect(await reason.innerText()).toBe(`No record matches:\n  level=error ${HOSTILE} ⟨U+202E⟩`);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    await search(page, 'nothing');
    await page.getByRole('button', { name: 'Remove query and filters' }).click();
    await expect.poll(() => rowMessages(page)).toEqual(['charged & "sent" 50 %', 'other']);
    expect(await reason.isVisible()).toBe(true);
  });

  it('shows all records, and the failed query as a filter that is switched off, if it matches none', async () => {
    const records = [{ level: 'info', msg: 'charged' }];
    const { page } = await openReport(records, 'pays', { query: 'msg="card declined"' });
    await expect.poll(() => rowMessages(page)).toEqual(['charged']);
    await page.getByRole('switch', { name: 'msg="card declined"', checked: false }).click();
    await page.getByText('No matching records').waitFor();
  });

  it('shows markup in records and in the test name as text', async () => {
    const record = { level: HOSTILE, msg: HOSTILE, [HOSTILE]: HOSTILE, bidi: '\u202Edrawkcab' };
    const { page } = await openReport([record, { msg: 'second' }], HOSTILE);
    await page.locator('.row').nth(1).waitFor();
    expect((await rowMessages(page))[0]).toContain(HOSTILE);
    await page.locator('.row .message').first().click();
    await page.locator('.detail').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    expect(await page.title()).toContain('</script>');
  });

  it('blocks scripts and requests added to the file with its Content Security Policy', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'log-reports-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = writeHtmlReport({
      dir,
      name: 'pays',
      records: [{ '@timestamp': 1, '@id': 'a', msg: 'hello' }],
    });
    const added = '<script>window.hacked=1</script><img src="http://127.0.0.1:9/x">';
    await writeFile(
      file,
      (await readFile(file, 'utf8')).replace('<body>', () => `<body>${added}`),
    );
    const page = await openLink('about:blank', { expected: /Content Security Policy/ });
    await page.goto(pathToFileURL(file).href);
    await page.locator('.row').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await readdir(dir)).toEqual(['pays.html']);
  });
});
