import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';
import { openPage, rowMessages, sendRecords, startServer } from './browser.ts';

const ID = 'c0ffee11d00dfeed';

/** One request in five services with five spellings of its ID, and others. */
async function serveRequest(): Promise<LocalServer> {
  const server = await startServer();
  const start = Date.now() - 60_000;
  const records: readonly (readonly [service: string, ms: number, record: object])[] = [
    ['gateway', 0, { level: 'info', correlation_id: ID, msg: 'routed' }],
    ['web', 3, { level: 'info', reqId: ID, msg: 'GET /cart' }],
    ['auth', 8, { level: 'info', msg: `token accepted for ${ID}.` }],
    ['auth', 9, { level: 'info', msg: `token refused for ${ID}0` }],
    ['cart', 23, { level: 'info', requestId: ID, msg: 'loading cart' }],
    ['stock', 43, { level: 'error', trace_id: ID, msg: 'deadlock detected' }],
    ['stock', 44, { level: 'error', trace_id: 'c0ffee', msg: 'another deadlock' }],
    ['web', 133, { level: 'error', reqId: ID, responseTime: 132, msg: 'request failed' }],
  ];
  for (const [service, ms, record] of records)
    await sendRecords(server, [record], { service, now: start + ms });
  return server;
}

const cells = (page: Page, selector: string): Promise<string[]> => page.locator(selector).allInnerTexts();

describe('A request', () => {
  it('is shown by one click on its ID, over all services, with distances, bars and its first error', async () => {
    const page = await openPage(await serveRequest(), { hash: 'live=off&q=loading' });
    await page
      .locator('.row', { hasText: 'loading cart' })
      .getByTitle('All records with this requestId')
      .click();
    await page.getByText('6 records in 5 services · 133 ms').waitFor();
    expect(await rowMessages(page)).toEqual([
      ...['routed', 'GET /cart', `token accepted for ${ID}.`, 'loading cart', 'deadlock detected'],
      'request failed',
    ]);
    expect(await cells(page, '.row .time')).toEqual([
      '+0 ms',
      '+3 ms',
      '+8 ms',
      '+23 ms',
      '+43 ms',
      '+133 ms',
    ]);
    expect(await cells(page, '.chip:first-child')).toEqual([
      ...['correlation_id', 'reqId', 'text', 'requestId', 'trace_id', 'reqId'],
    ]);
    expect(await cells(page, '.request li')).toEqual([
      ...['gateway\n–', 'web\n132 ms', 'auth\n–', 'cart\n–', 'stock\n–'],
    ]);
    expect(await cells(page, '[data-first-error]')).toEqual(['deadlock detected']);

    await page.getByRole('button', { name: 'First error, +43 ms: deadlock detected' }).click();
    await page.locator('.row[data-open]', { hasText: 'deadlock detected' }).waitFor();
    await page.reload();
    await page.getByText('6 records in 5 services').waitFor();
    await page.getByRole('button', { name: 'Remove the filter' }).click();
    await page.locator('.histogram-bars').waitFor();
  });

  it('starts at its first record on a phone, wherever the list was', async () => {
    const viewport = { width: 390, height: 560 };
    const page = await openPage(await serveRequest(), {
      hash: 'live=off&q=%22deadlock+detected%22',
      context: { viewport },
    });
    await page.locator('.row .message').click();
    await page.getByRole('button', { name: 'All records with this trace_id' }).click();
    await page.getByText('6 records in 5 services').waitFor();
    await expect.poll(() => page.locator('.row').count()).toBe(6);
    const offsets = `['.scroller', '.row'].map((each) => document.querySelector(each).getBoundingClientRect().top)`;
    const [list, first] = await page.evaluate<number[]>(offsets);
    expect(first).toBe(list);
  });

  it.each(['say "c*d/e\\f"', '*', 'a"b'])('is shown for the ID %s', async (reqId) => {
    const server = await startServer();
    await sendRecords(server, [
      { reqId, msg: 'first' },
      { reqId: 'other', msg: 'apart' },
      { reqId, msg: 'last' },
    ]);
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.row', { hasText: 'first' }).getByTitle('All records with this reqId').click();
    await page.getByText('2 records in 1 service').waitFor();
    expect(await rowMessages(page)).toEqual(['first', 'last']);
  });
});
