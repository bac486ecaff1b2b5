import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../helpers/cli-run.ts';
import { dropFiles, openLink, rowMessages } from './browser.ts';
import { type PlayServer, startPlayServer } from './play-server.ts';

/** What Chromium logs for the requests that the content security policy blocks. */
const BLOCKED = /Content Security Policy|Failed to (load|fetch)/;

async function openPlay(hash = '', site?: PlayServer): Promise<{ page: Page; site: PlayServer }> {
  const opened = site ?? (await startPlayServer());
  const page = await openLink(`${opened.url}${hash}`, { expected: BLOCKED });
  await page.locator('.row, .table-view, table').first().waitFor();
  return { page, site: opened };
}

/** Shows a search, as a link to it does. */
async function show(page: Page, parameters: Record<string, string>): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(new URLSearchParams(parameters).toString())}`);
}

const readyOffline = (page: Page): Promise<void> => page.getByText('Ready offline').waitFor();
const copied = (page: Page): Promise<string> =>
  page.evaluate('navigator.clipboard.readText()') as Promise<string>;

const LINES = ['card declined', 'charged'].map((msg, index) =>
  JSON.stringify({ time: `2026-03-02T09:00:0${index}Z`, level: index === 0 ? 'error' : 'info', msg }),
);

describe('The playground', () => {
  it('shows a sample after at most 460 KB of its own files', async () => {
    const { page, site } = await openPlay();
    expect(site.bytes()).toBeLessThan(460_000);
    await page.getByText(/^Your data never leaves this browser/).waitFor();
    await page.getByRole('button', { name: /^error \d/ }).waitFor();
    await show(page, { repo: 'checkout', q: 'level=error | groupBy([#service, msg])', live: 'off' });
    await page.getByText('checkout failed').waitFor();
    await page.getByText('charge failed').waitFor();
  });

  it('has samples, which it follows, and the patterns and exports of the page', async () => {
    const { page } = await openPlay('#repo=access-log');
    const latest = async (): Promise<string | undefined> =>
      (await page.locator('.row').allInnerTexts()).at(-1);
    const before = await latest();
    await expect.poll(latest).not.toBe(before);
    for (const repo of ['audit', 'browser-errors', 'access-log']) {
      await show(page, { repo, live: 'off' });
      await expect.poll(() => page.title()).toContain(repo);
      await expect.poll(() => page.locator('.results:not([data-stale]) .row').count()).toBeGreaterThan(5);
    }
    await show(page, { repo: 'checkout', live: 'off' });
    await page.getByRole('button', { name: 'Similar' }).click();
    await page.getByText('cart priced').first().waitFor();
    await show(page, { repo: 'checkout', q: 'level=error', live: 'off' });
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'NDJSON' }).click();
    expect((await download).suggestedFilename()).toContain('checkout');
  });

  it('can send nothing, and works without a network once it says so, also with a dropped file', async () => {
    const { page, site } = await openPlay();
    await readyOffline(page);
    const before = site.requests.length;
    // Its security policy blocks requests of the page and of its worker.
    const target = `${site.origin}/stolen`;
    const ofPage = await page.evaluate(`new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.onload = () => resolve('sent');
      request.onerror = () => resolve('blocked');
      request.open('POST', ${JSON.stringify(target)});
      request.send('data');
    })`);
    const [worker] = page.workers();
    const ofWorker = await worker!.evaluate(
      `fetch(${JSON.stringify(target)}, { method: 'POST', body: 'data' }).then(() => 'sent', () => 'blocked')`,
    );
    expect([ofPage, ofWorker]).toEqual(['blocked', 'blocked']);
    await page.context().setOffline(true);
    await dropFiles(page, { 'app.log': `${LINES.join('\n')}\n` });
    await expect.poll(() => rowMessages(page)).toEqual(['card declined', 'charged']);
    await show(page, { repo: 'app.log', start: 'all', q: 'level=error', live: 'off' });
    await expect.poll(() => rowMessages(page)).toEqual(['card declined']);
    await show(page, { repo: 'checkout', q: 'timeChart(level)', live: 'off' });
    await page.locator('.plot canvas').waitFor();
    expect(site.requests.slice(before)).toEqual([]);
    await page.goto(`${site.url}#repo=audit`);
    await page.reload();
    await page.locator('.row').first().waitFor();
    // A browser may look for a new version of the service worker when it opens the page.
    const later = site.requests.slice(before);
    expect(later.filter((url) => !url.endsWith('/service-worker.js'))).toEqual([]);
  });

  it("opens compressed files, and says why it can't open others", async () => {
    const { page } = await openPlay();
    const folder = await mkdtemp(join(tmpdir(), 'play-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'app.log.gz'), gzipSync(LINES.join('\n')));
    await writeFile(join(folder, 'image.png'), Buffer.from([137, 80, 78, 71, 0, 1, 2, 3]));
    const open = async (name: string): Promise<void> => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Open a file…' }).click();
      await (await choosing).setFiles(join(folder, name));
    };
    await open('app.log.gz');
    await expect.poll(() => rowMessages(page)).toEqual(['card declined', 'charged']);
    await open('image.png');
    await page.getByText(/This is not a text file/).waitFor();
  });

  it('opens and searches a file with more lines than a repository has by default, with progress', async () => {
    const { page } = await openPlay();
    const dataTransfer = await page.evaluateHandle(`(() => {
      const line = (_, index) => {
        const record = { time: new Date(1772442000000 + 10 * index), level: index % 10 ? 'info' : 'error' };
        return JSON.stringify({ ...record, msg: 'request ' + index, ms: index % 977 }) + '\\n';
      };
      const parts = Array.from({ length: 26 }, (_, part) =>
        Array.from({ length: 10000 }, (_, index) => line(0, 10000 * part + index)).join(''));
      const transfer = new DataTransfer();
      transfer.items.add(new File(parts, 'large.log'));
      return transfer;
    })()`);
    await page.dispatchEvent('body', 'drop', { dataTransfer });
    await page.getByText(/Reading large\.log… [1-9]\d?%/).waitFor();
    await page.getByText('large.log: 260,000 lines.').waitFor({ timeout: 100_000 });
    await show(page, { repo: 'large.log', start: 'all', q: 'level=error | count()', live: 'off' });
    await page.locator('.single-value', { hasText: '26,000' }).waitFor();
  });

  it('reproduces pasted lines, the query and the view from its address', async () => {
    const { page, site } = await openPlay();
    await page.getByRole('button', { name: 'Paste lines…' }).click();
    await page.getByLabel('JSON or text, one record per line').fill(LINES.join('\n'));
    await page.getByRole('button', { name: 'Search them' }).click();
    await expect.poll(() => rowMessages(page)).toEqual(['card declined', 'charged']);
    await page.evaluate(`location.hash += '&q=' + encodeURIComponent('level=error')`);
    await expect.poll(() => rowMessages(page)).toEqual(['card declined']);
    const { page: other } = await openPlay(new URL(page.url()).hash, site);
    await expect.poll(() => rowMessages(other)).toEqual(['card declined']);
    expect(await other.locator('.cm-content').innerText()).toBe('level=error');
  });

  it('links to the lines that were pasted last, and reports those that a link is without', async () => {
    const { page, site } = await openPlay();
    const paste = async (lines: string): Promise<void> => {
      await page.getByRole('button', { name: 'Paste lines…' }).click();
      await page.getByLabel('JSON or text, one record per line').fill(lines);
      await page.getByRole('button', { name: 'Search them' }).click();
    };
    const copyLink = async (answer: string | RegExp): Promise<string> => {
      if ((await page.locator('.play-bar details[open]').count()) === 0)
        await page.getByText('Copy as', { exact: true }).click();
      await page.getByRole('button', { name: 'A link' }).click();
      await page.getByRole('button', { name: answer, exact: true }).waitFor();
      return new URL(await copied(page)).hash;
    };
    for (const line of LINES) {
      await paste(line);
      await expect.poll(() => rowMessages(page)).toEqual([JSON.parse(line).msg]);
    }
    const { page: second } = await openPlay(await copyLink('Copied'), site);
    expect(await rowMessages(second)).toEqual(['charged']);

    const random = randomBytes(12_000).toString('base64');
    await paste(JSON.stringify({ msg: 'large', random }));
    await expect.poll(() => rowMessages(page)).toEqual(['large']);
    const link = await copyLink('Copied without the lines: send them, too');
    for (const hash of [link, `${link}&data=damaged`]) {
      const other = await openLink(`${site.url}${hash}`, { expected: BLOCKED });
      await other.getByText(/^The lines of "pasted[ 3]*" are not in this tab/).waitFor();
    }
    await page.reload();
    await page.getByText('The lines of "pasted 3" are not in this tab').waitFor();
  });

  it('copies a search as a test, as code, as a command and as a link', async () => {
    const { page } = await openPlay(`#repo=checkout&q=${encodeURIComponent('level=error')}&live=off`);
    await page.getByText('Copy as', { exact: true }).click();
    for (const [label, text] of [
      ['A test', expect.stringContaining('await expect(logs).toHaveLogged("level=error");')],
      ['lql code', expect.stringContaining('lql`level=error`')],
      ['A command', "npx logclient query 'level=error' --repository 'checkout' --since 1h"],
      ['A link', page.url()],
    ] as const) {
      await page.getByRole('button', { name: label, exact: true }).click();
      await expect.poll(() => copied(page)).toEqual(text);
    }
  });

  it('runs a parser on lines, and its copied test cases pass in `parsers test`', async () => {
    const { page } = await openPlay();
    await page.getByRole('button', { name: 'Test a parser…' }).click();
    await page.getByText('path = /products/7').waitFor();
    await page.getByLabel('Parser', { exact: true }).fill('parseJson() | findTimestamp(field=time)');
    await page.getByLabel('Lines, one per event').fill(LINES.join('\n'));
    await page.getByRole('button', { name: 'Run the parser' }).click();
    await page.getByText('msg = card declined').waitFor();
    await page.getByRole('button', { name: 'Copy as parsers test' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const folder = await mkdtemp(join(tmpdir(), 'parsers-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'my-parser.yaml'), await copied(page));
    const { stdout, code } = await runCommand(['parsers', 'test', folder]);
    expect([stdout, code]).toEqual([expect.stringContaining('2 passed'), 0]);

    await page.getByLabel('Parser', { exact: true }).fill('parseJson(');
    await page.getByRole('button', { name: 'Run the parser' }).click();
    await page
      .getByText(/parseJson\(\n?/)
      .last()
      .waitFor();
  });
});
