import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileChooser, Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';
import { dropFiles, openPage, rowMessages, sendRecords, startServer } from './browser.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startServer();
});

const LINES = ['first', 'second', 'third'].map((msg, n) =>
  JSON.stringify({ level: 30, time: Date.UTC(2024, 1, 3, 9, 0, n), msg }),
);
const LOG = `${LINES.join('\n')}\n`;

const strip = (page: Page) => page.getByRole('region', { name: 'Opened file' });
const names = (): string[] =>
  ['app.log', 'app.log 2', 'files'].filter((name) => {
    try {
      return server.inspect.store(name).events >= 0;
    } catch {
      return false;
    }
  });

describe('A file', () => {
  it('opens when it is dropped on the page, over a query as well, and the address has its repository', async () => {
    await sendRecords(server, [{ msg: 'from an app' }]);
    const page = await openPage(server);
    await page.locator('.row').waitFor();
    for (const [target, name] of [
      ['.row', 'app.log'],
      ['.cm-content', 'app.log 2'],
    ] as const) {
      await dropFiles(page, { 'app.log': LOG }, target);
      await expect.poll(() => page.title()).toContain(name);
      await expect.poll(() => rowMessages(page)).toEqual(['first', 'second', 'third']);
    }
    expect(await page.locator('.cm-content').innerText()).not.toContain('first');
    expect(await strip(page).innerText()).toContain('app.log: 3 lines. The file is forgotten');
    expect(page.url()).toContain('repo=app.log+2');
    await page.goBack();
    await expect.poll(() => page.title()).toContain('app.log –');
    await strip(page).getByRole('button', { name: 'Dismiss' }).click();
    await strip(page).waitFor({ state: 'detached' });
  });

  it('without times has records of unknown time, which the histogram counts but does not draw', async () => {
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    await dropFiles(page, { 'plain.log': 'ERROR one\ntwo\n' });
    await page.locator('.row', { hasText: 'time unknown' }).nth(1).waitFor();
    await page.getByText('2 records of unknown time are not in the histogram').waitFor();
    await page.locator('.level-button', { hasText: 'error 1' }).waitFor();
    expect(await page.locator('.histogram .bar').count()).toBe(0);
  });

  it('opens with the key o, also from an empty repository', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logclient-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    for (const name of ['a.log', 'b.log']) writeFileSync(join(folder, name), LOG);
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    const choosers: FileChooser[] = [];
    page.on('filechooser', (chooser) => choosers.push(chooser));
    // A browser ignores a key that a page handles seconds later.
    await expect
      .poll(() => page.keyboard.press('o').then(() => choosers.length), { interval: 1000 })
      .toBeGreaterThan(0);
    await choosers[0]!.setFiles([join(folder, 'a.log'), join(folder, 'b.log')]);
    await expect.poll(async () => (await rowMessages(page)).length).toBe(6);
    expect(new Set(server.inspect.events('files').map((event) => event['#file']))).toEqual(
      new Set(['a.log', 'b.log']),
    );
  });

  it('is forgotten by the server when its tab is closed, and kept when it is reloaded', async () => {
    server.clock.set(Date.now());
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    await dropFiles(page, { 'app.log': LOG });
    await expect.poll(() => rowMessages(page)).toEqual(['first', 'second', 'third']);
    await page.reload();
    await expect.poll(() => rowMessages(page)).toEqual(['first', 'second', 'third']);
    const left = () =>
      server.inspect.requests({ method: 'DELETE' }).filter(({ path }) => path.endsWith('/app.log')).length;
    await expect.poll(left).toBe(1);
    server.clock.advance(60_000);
    await page.locator('.row').first().click();
    expect(names()).toEqual(['app.log']);
    await page.close({ runBeforeUnload: true });
    await expect.poll(left).toBe(2);
    server.clock.advance(11_000);
    await expect.poll(names).toEqual([]);
  });

  it('that was deleted after ten minutes is said to be closed', async () => {
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    await dropFiles(page, { 'app.log': LOG });
    await expect.poll(() => rowMessages(page)).toEqual(['first', 'second', 'third']);
    const infoButton = page.getByRole('button', { name: 'info' }).first();
    await infoButton.waitFor();
    server.clock.advance(11 * 60_000);
    await expect.poll(names).toEqual([]);
    await infoButton.click();
    await page.getByText('This file was closed after ten minutes without use').waitFor();
  });

  it('that is no text file is named with the reason, and can be followed by another one', async () => {
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    await dropFiles(page, { '<img src=x onerror="document.title=1">.png': 'PNG\r\n\x1a\n\0\0\x01\0\x02\0' });
    await expect
      .poll(() => strip(page).getByRole('alert').innerText())
      .toContain('<img src=x onerror="document.title=1">.png: This is not a text file');
    expect(names()).toEqual([]);
    await dropFiles(page, { 'app.log': LOG });
    await expect.poll(() => rowMessages(page)).toEqual(['first', 'second', 'third']);
  });

  it('is read no further after Cancel, and nothing of it is kept', async () => {
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    server.faults.add({ path: '/api/v1/temporary-repositories/app.log/lines', uploadBytesPerSecond: 50_000 });
    await dropFiles(page, { 'app.log': LOG.repeat(1000) });
    await expect.poll(() => strip(page).innerText()).toContain('Reading app.log… ');
    await expect.poll(names).toEqual(['app.log']);
    await strip(page).getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(names).toEqual([]);
    await strip(page).waitFor({ state: 'detached' });
    await page.locator('.start').waitFor();
  });
});
