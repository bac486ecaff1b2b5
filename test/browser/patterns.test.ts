import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';
import { writeHtmlReport } from '../../src/testing/index.ts';
import { openLink, openPage, rowMessages, sendRecords, startServer } from './browser.ts';

const MINUTE = 60_000;

const RECORDS_OF_DEPLOYED = Array.from({ length: 40 }, (_, index) => ({ msg: `cart ${index} lost` }));

/** 1,500 logins and three starts 51 minutes ago, and a crash two minutes ago. */
async function serveLogins(): Promise<LocalServer> {
  const server = await startServer();
  const now = Date.now();
  const starts = ['api', 'api', 'api'].map((name) => ({ level: 'info', msg: `Started ${name}` }));
  const logins = Array.from({ length: 1500 }, (_, index) => ({
    level: 'info',
    msg: `user ${index} logged in`,
  }));
  await sendRecords(server, [...starts, ...logins], { now: now - 51 * MINUTE });
  await sendRecords(server, [{ level: 'error', msg: 'crash of job a1b2c3d' }], { now: now - 2 * MINUTE });
  await sendRecords(server, logins.slice(0, 300), { now });
  return server;
}

const rows = (page: Page): Promise<string[]> =>
  page
    .locator('.patterns li')
    .evaluateAll((items) =>
      items.map((item) =>
        ['.count', '.message'].map((part) => item.querySelector(part)!.textContent!.trim()).join(' '),
      ),
    );

/** The rows of an export as NDJSON. */
async function exported(page: Page): Promise<Record<string, unknown>[]> {
  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'NDJSON' }).click();
  const lines = await readFile(await (await download).path(), 'utf8');
  return lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

const note = (page: Page): Promise<string> => page.locator('.sample-note').innerText();

describe('Similar records', () => {
  it('are those of the whole result, can be selected, left out, and compared, and new ones stand alone', async () => {
    const page = await openPage(await serveLogins(), { hash: 'live=off' });
    await page.evaluate('window.clicks = 0; onclick = () => window.clicks++');
    await page.getByRole('button', { name: 'Similar' }).click();
    await expect
      .poll(() => rows(page))
      .toEqual(['1 new crash of job ‹id›', '3 Started api', '1,800 user ‹n› logged in']);
    expect(await page.evaluate('window.clicks'), 'clicks to a rare event').toBe(1);
    expect(await note(page)).toMatch(/3 patterns$/);
    expect(await page.locator('.patterns .trend path').last().getAttribute('d')).toMatch(/^M4 16.*M29 16/);

    const byCount = [
      [1, 'crash of job ‹id›', 'error'],
      [3, 'Started api', 'info'],
      [1800, 'user ‹n› logged in', 'info'],
    ];
    const counts = async () =>
      (await exported(page)).map(({ count, message, level }) => [count, message, level]);
    expect(await counts()).toEqual(byCount);
    await page.getByLabel('Which patterns').selectOption('Most frequent first');
    expect(await counts()).toEqual(byCount.toReversed());

    await page.getByLabel('Which patterns').selectOption('New in the last 15 min');
    expect(await rows(page)).toEqual(['1 new crash of job ‹id›']);
    await page.getByLabel('Which patterns').selectOption('Most changed');
    await expect
      .poll(() => rows(page))
      .toEqual(['0 → 1 new crash of job ‹id›', '1.5K → 300 user ‹n› logged in', '3 → 0 Started api']);
    expect(await note(page)).toMatch(/Records in 30 min before → after [\d: -]+$/);
    expect(await exported(page)).toMatchObject([
      { before: 0, after: 1 },
      { before: 1500, after: 300 },
      { before: 3, after: 0 },
    ]);
    await page.getByLabel('Which patterns').selectOption('Most frequent first');

    await page.getByRole('button', { name: 'Without this' }).first().click();
    await expect.poll(() => rows(page)).toEqual(['3 Started api', '1 new crash of job ‹id›']);
    await page.getByRole('button', { name: 'Only this' }).nth(1).click();
    await expect.poll(() => rowMessages(page)).toEqual(['crash of job a1b2c3d']);
  });

  it('are compared in equal times before and after a moment, which a click on the histogram or a record sets', async () => {
    const server = await serveLogins();
    await sendRecords(server, [{ msg: 'deployed' }, ...RECORDS_OF_DEPLOYED], {
      now: Date.now() - 10 * MINUTE,
    });
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByRole('button', { name: 'Before ↔ after…' }).click();
    const bars = (await page.locator('.histogram-bars').boundingBox())!;
    await page.mouse.click(bars.x + (48 / 60) * bars.width, bars.y + 30);
    await expect
      .poll(() => rows(page))
      .toEqual([
        '0 → 300 new user ‹n› logged in',
        '0 → 40 new cart ‹n› lost',
        '0 → 1 new crash of job ‹id›',
        '0 → 1 new deployed',
      ]);
    expect(await note(page)).toMatch(/4 patterns\. Records in 1[1-3](\.\d)? min before → after [\d: -]+$/);
    await page.reload();
    await expect.poll(() => rows(page)).toContain('0 → 40 new cart ‹n› lost');
    await page.getByRole('button', { name: /^Before ↔ after \d/ }).click();
    await expect.poll(() => rows(page)).toContain('1,800 user ‹n› logged in');

    await page.getByRole('button', { name: 'Before ↔ after…' }).press('Enter');
    const slider = page.getByRole('slider', { name: 'Moment to compare at' });
    await slider.press('End');
    for (let minute = 0; minute < 12; minute++) await slider.press('ArrowLeft');
    await slider.press('Enter');
    await expect.poll(() => rows(page)).toContain('0 → 40 new cart ‹n› lost');
    await page.getByRole('button', { name: /^Before ↔ after \d/ }).press('Enter');
    await page.getByRole('button', { name: 'Before ↔ after…' }).press('Enter');
    await slider.press('Escape');
    await slider.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Before ↔ after…');

    const deployed = page.locator('.patterns li', { hasText: 'deployed' });
    await deployed.getByRole('button', { name: 'Only this' }).click();
    await page.locator('.row', { hasText: 'deployed' }).locator('.message').click();
    await page.getByRole('button', { name: 'Before ↔ after', exact: true }).click();
    await expect.poll(() => rows(page)).toEqual(['0 → 1 new deployed']);
  });

  it('of a live search are renewed', async () => {
    const server = await serveLogins();
    const page = await openPage(server, { hash: 'view=patterns' });
    await expect.poll(() => rows(page)).toContain('1,800 user ‹n› logged in');
    await sendRecords(server, [{ msg: 'user 1 logged in' }, { msg: 'user 2 logged in' }]);
    await expect.poll(() => rows(page), { timeout: 60_000 }).toContain('1,802 user ‹n› logged in');
  });

  it('are those of the newest records where the server has no patterns', async () => {
    const server = await serveLogins();
    const page = await openPage(server, { hash: 'live=off' });
    await page.route('**/patterns', (route) =>
      route.fulfill({ status: 404, body: 'There is no such path.' }),
    );
    await page.getByRole('button', { name: 'Similar' }).click();
    await expect.poll(() => rows(page)).toEqual(['200 user ‹n› logged in']);
    await expect.poll(() => note(page)).toMatch(/1 pattern of the newest 200 records$/);
  });

  it('say why the server has no patterns', async () => {
    const page = await openPage(await serveLogins(), { hash: 'live=off' });
    await page.route('**/patterns', (route) =>
      route.fulfill({ status: 500, body: 'The query was canceled.' }),
    );
    await page.getByRole('button', { name: 'Similar' }).click();
    await expect.poll(() => note(page)).toMatch(/of the newest 200 records\. The query was canceled\.$/);
  });

  it('of a test report are those of all its records', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'report-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const records = Array.from({ length: 500 }, (_, index) => ({
      '@id': String(index),
      '@timestamp': Date.now() - index,
      msg: `user ${index} logged in`,
    }));
    const path = writeHtmlReport({ dir, name: 'logins', records });
    const page = await openLink(`${pathToFileURL(path).href}#start=all&live=off&view=patterns`);
    await expect.poll(() => rows(page)).toEqual(['500 user ‹n› logged in']);
    expect(await note(page)).toMatch(/1 pattern$/);
  });
});
