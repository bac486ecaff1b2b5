import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, onTestFinished } from 'vitest';
import { ServerProcess } from '../helpers/server-process.ts';
import { openPage, sendRecords, useBrowser } from './browser.ts';

useBrowser();

describe('A server that hangs', () => {
  it.each([
    ['a list', ''],
    ['a table', 'groupBy(msg)'],
  ])('is noticed by the page, which continues when it runs again: %s', async (_, query) => {
    const folder = await mkdtemp(join(tmpdir(), 'page-hangs-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const server = new ServerProcess(folder);
    onTestFinished(() => server[Symbol.asyncDispose]());
    const access = await server.start();
    await sendRecords(access, [{ level: 'info', msg: 'before' }]);
    const page = await openPage(access, { hash: `q=${encodeURIComponent(query)}` });
    const shown = async (msg: string): Promise<void> => {
      await sendRecords(access, [{ level: 'info', msg }]);
      await page.getByText(msg, { exact: true }).first().waitFor();
    };
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.clock.install();
    // The page's next waits are on the installed clock.
    await shown('seen');

    const resume = server.freeze();
    await page.clock.runFor(90_000);
    await page.locator('.pill', { hasText: 'reconnecting' }).waitFor();
    resume();
    await page.clock.runFor(10_000);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await shown('seen later');
  });
});
