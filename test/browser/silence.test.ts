import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { it, onTestFinished } from 'vitest';
import { type ServerAccess, ServerProcess } from '../helpers/server-process.ts';
import { openPage, sendRecords } from './browser.ts';

/** Opens a live search with a clock that tests move. */
async function openLive(access: ServerAccess, query: string): Promise<Page> {
  const page = await openPage(access, { hash: `q=${encodeURIComponent(query)}`, context: {} });
  await page.locator('.pill', { hasText: 'following' }).waitFor();
  await page.clock.install();
  return page;
}

it('a page notices that the server hangs, with a list and a table, and continues when it runs again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'page-hangs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const server = new ServerProcess(folder);
  onTestFinished(() => server[Symbol.asyncDispose]());
  const access = await server.start();
  await sendRecords(access, [{ level: 'info', msg: 'before' }]);
  const pages = [await openLive(access, ''), await openLive(access, 'groupBy(msg)')];
  const shown = async (msg: string): Promise<void> => {
    await sendRecords(access, [{ level: 'info', msg }]);
    for (const page of pages) await page.getByText(msg, { exact: true }).first().waitFor();
  };
  // The pages' next waits are on the installed clock.
  await shown('seen');

  const resume = server.freeze();
  for (const page of pages) {
    await page.clock.runFor(90_000);
    await page.locator('.pill', { hasText: 'reconnecting' }).waitFor();
  }
  resume();
  for (const page of pages) {
    await page.clock.runFor(10_000);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
  }
  await shown('seen later');
});
