import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, type NgsiemServer, startLocalServer } from '../../src/server/index.ts';
import { startCli } from '../helpers/cli-process.ts';
import { accessTo } from '../helpers/cli-run.ts';
import { eventually } from '../helpers/eventually.ts';
import { dropFiles, openLink, rowMessages, sendRecords } from './browser.ts';

/** Starts a command that shows the page, and opens the link that it prints. */
async function openWith(
  words: readonly string[],
  env: Record<string, string>,
  { hash = '' } = {},
): Promise<{ page: Page; link: string }> {
  const { output } = startCli([...words, '--port', '0'], env);
  await eventually(() => expect(output.stdout + output.stderr).toContain('Ctrl-C'));
  const link = /^ {2}page +(\S+)/m.exec(output.stdout)![1]!;
  return { page: await openLink(`${link}&${hash}`), link };
}

const RECORDS = [
  { level: 'info', ms: 12, path: '/cart', msg: 'request completed' },
  { level: 'error', ms: 45, path: '/pay', reqId: 'r1', msg: 'payment failed' },
];

describe('Page of logclient ui with LogScale', () => {
  async function open(): Promise<{ server: LocalServer; page: Page; link: string }> {
    const server = await startLocalServer({ repository: 'shop', repositories: ['billing'] });
    onTestFinished(() => server.close());
    await sendRecords(server, RECORDS);
    return { server, ...(await openWith(['ui'], accessTo(server))) };
  }

  it('searches, follows a stream and saves queries without access to the service token', async () => {
    const { server, page } = await open();
    const seen: string[] = [];
    page.on('response', (response) => {
      seen.push(JSON.stringify(response.request().headers()));
      response.text().then(
        (body) => seen.push(body),
        () => {},
      );
    });
    await page.locator('.row', { hasText: 'payment failed' }).waitFor();
    expect(await page.title()).toBe(`shop · ${new URL(server.url).host} – logclient`);
    await page
      .getByLabel('Repository', { exact: true })
      .locator('option', { hasText: 'billing' })
      .waitFor({ state: 'attached' });
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.locator('.pill', { hasText: /^following$/ }).waitFor();
    await sendRecords(server, [{ level: 'info', msg: 'arrived later' }]);
    await page.locator('.row', { hasText: 'arrived later' }).waitFor();
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill('mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^mine/ }).waitFor();
    expect(seen.length).toBeGreaterThan(5);
    expect([...seen, await page.content()].join('\n')).not.toContain(server.userToken);
    expect(await page.evaluate('JSON.stringify({ ...localStorage })')).not.toContain(server.userToken);
  });

  it('keeps its token after a reload, and shows which command prints the link if it has none', async () => {
    const { page, link } = await open();
    await page.locator('.row').first().waitFor();
    await page.reload();
    await page.locator('.row').first().waitFor();
    const other = await openLink(new URL(link).origin);
    await other.getByText('npx logclient ui').waitFor();
    expect(await other.locator('.row').count()).toBe(0);
  });

  it('offers neither to send nor to delete records, and does not query rejections', async () => {
    const { server, page } = await open();
    await fetch(`${server.url}/api/v1/ingest/json`, { method: 'POST', body: '{}' });
    await page.locator('.row').first().waitFor();
    await page.getByRole('button', { name: 'About this repository' }).click();
    await page.getByText('This service does not report rejected requests.').waitFor();
    expect(await page.getByRole('button', { name: /Delete/ }).count()).toBe(0);
    expect(JSON.stringify(server.inspect.requests())).not.toContain('humio-activity');
    await page.keyboard.press('Escape');
    await page.getByLabel('Repository', { exact: true }).selectOption('billing');
    await page.getByText('No records in this time range.').waitFor();
    expect(await page.getByText('Send a test record').count()).toBe(0);
  });

  it('sends no file to the service, whose URL is in the curl command of a record', async () => {
    const { server, page } = await open();
    await page.locator('.row').first().waitFor();
    const before = server.inspect.requests().length;
    await dropFiles(page, { 'app.log': '{"msg":"private"}' });
    await page.getByRole('alert').getByText('never sent to a service').waitFor();
    const after = server.inspect.requests().slice(before);
    expect(after.filter(({ path }) => !/query|graphql/.test(path))).toEqual([]);
    await page.getByRole('button', { name: 'About this repository' }).click();
    expect(await page.getByText('Open a file').count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.row .message').first().click();
    await page.getByRole('button', { name: 'curl' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toContain(`curl '${server.url}/api/v1/repositories/shop/query'`);
  });

  it('names LOGSCALE_TOKEN if the service rejects it, and searches again once it is accepted', async () => {
    const { server, page } = await open();
    await page.locator('.row').first().waitFor();
    server.faults.add({ status: 401, path: '/queryjobs', times: 3 });
    await page.keyboard.press('/');
    await page.keyboard.type('payment');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('rejected the token from LOGSCALE_TOKEN').waitFor();
    server.faults.clear();
    await page.keyboard.press('Enter');
    await page.locator('.row', { hasText: 'payment failed' }).waitFor();
  });
});

describe('Page of logclient ui with Next-Gen SIEM', () => {
  async function ingest(server: NgsiemServer, records: readonly object[]): Promise<void> {
    const events = records.map((event) => JSON.stringify({ time: Date.now() / 1000, event }));
    const response = await fetch(server.hecUrl, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.hecToken}` },
      body: events.join('\n'),
    });
    expect(response.status).toBe(200);
  }

  async function open(hash = ''): Promise<{ server: NgsiemServer; page: Page }> {
    const server = await startLocalServer({ ngsiem: true });
    onTestFinished(() => server.close());
    await ingest(server, RECORDS);
    const { url, clientId, clientSecret } = server;
    const env = { FALCON_BASE_URL: url, FALCON_CLIENT_ID: clientId, FALCON_CLIENT_SECRET: clientSecret };
    return { server, ...(await openWith(['ui'], env, { hash })) };
  }

  it('searches, and follows by polling', async () => {
    const { server, page } = await open();
    await page.locator('.row', { hasText: 'payment failed' }).waitFor();
    await page.locator('.level-button', { hasText: 'error 1' }).waitFor();
    const views = await page.getByLabel('Repository', { exact: true }).locator('option').allInnerTexts();
    expect(views).toEqual(['search-all (view)', 'investigate_view (view)', 'third-party (view)']);
    await page.getByRole('switch', { name: 'Live' }).click();
    await page.locator('.pill', { hasText: 'following by polls' }).waitFor();
    await ingest(server, [{ level: 'info', msg: 'arrived later' }]);
    await page.locator('.row', { hasText: 'arrived later' }).waitFor();
    expect((await rowMessages(page)).filter((message) => message === 'arrived later')).toHaveLength(1);
  });

  it('draws aggregates, exports CSV, reports syntax errors, and says that it cannot save queries', async () => {
    const { page } = await open('q=groupBy(path)');
    await page.locator('.bars').getByText('/pay').waitFor();
    await page.getByTitle('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    expect((await download).suggestedFilename()).toBe('search-all.csv');
    await page.keyboard.press('Escape');
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByText("This service can't save queries").waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('level=error )', { delay: 2 });
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('line 1, column').waitFor();
  });
});

describe('Page of logclient view', () => {
  it.each([
    ['a file', []],
    ['a file that is followed', ['--follow']],
  ])(
    'shows the lines of %s with their levels, and a histogram that ends with the last line',
    async (_, flags) => {
      const folder = await mkdtemp(join(tmpdir(), 'logclient-view-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'app.log');
      const time = Date.parse('2020-01-01T00:00:00Z');
      const lines = [30, 50].map((level, n) =>
        JSON.stringify({ level, time: time + n * 60_000, msg: `at ${level}` }),
      );
      await writeFile(file, [...lines, '    at buy (/srv/buy.js:3:9)', ''].join('\n'));
      const { page } = await openWith(['view', ...flags, file], {});
      await page.locator('.row').nth(2).waitFor();
      expect(await rowMessages(page)).toEqual(['at 30', 'at 50', 'at buy (/srv/buy.js:3:9)']);
      await page.locator('.level-button', { hasText: 'error 1' }).waitFor();
      expect(await page.getByLabel('Repository', { exact: true }).inputValue()).toBe('app.log');
      // The histogram ends with the last line, not today.
      const bars = page.locator('.histogram-bars .bar');
      await bars.nth(1).waitFor();
      const [first, last] = [await bars.first().boundingBox(), await bars.last().boundingBox()];
      expect(last!.x - first!.x).toBeGreaterThan(300);
    },
  );
});
