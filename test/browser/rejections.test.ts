import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';
import { openPage, sendRecords, startServer } from './browser.ts';

let server: LocalServer;
beforeEach(async () => {
  server = await startServer();
});

/** Sends a body to the server as a program called `shop/1.0`. */
async function send(path: string, body: string, token = server.ingestToken): Promise<void> {
  await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'user-agent': 'shop/1.0', authorization: `Bearer ${token}` },
    body,
  });
}

const strip = (page: Page) => page.getByRole('region', { name: 'Rejected requests' });
const summary = (page: Page) => strip(page).getByRole('button', { name: /rejected/ });

describe('Strip of rejected requests', () => {
  it('appears in an empty repository, with the client, reason, fix and record of each rejection', async () => {
    const page = await openPage(server);
    await page.locator('.start').waitFor();
    expect(await strip(page).count()).toBe(0);
    for (let n = 0; n < 3; n++) await send('/api/v1/ingest/json', '{}', 'of-yesterday');
    await send('/api/v1/ingest/json', '{"level":"info"} hello');
    await expect.poll(() => summary(page).innerText()).toMatch(/^4 requests or records rejected/);
    await summary(page).click();
    const [latest, first] = await strip(page).getByRole('listitem').allInnerTexts();
    expect(latest).toMatch(/^1 × Unexpected non-whitespace character after JSON/);
    expect(latest).toContain('{"level":"info"} hello');
    expect(first).toContain('3 × The supplied authentication is invalid');
    expect(first).toContain('POST /api/v1/ingest/json 401 from shop/1.0 (unknown token)');
    expect(first).toContain('Use a token of this server');
  });

  it('shows hostile records as text', async () => {
    const page = await openPage(server);
    await send('/api/v1/ingest/json', '<img src=x onerror="document.title=1"></pre>\u202e\u0007');
    await summary(page).click();
    await expect
      .poll(() => strip(page).locator('pre').innerText())
      .toBe('<img src=x onerror="document.title=1"></pre>⟨U+202E⟩␇');
    expect(await strip(page).locator('img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  it('disappears when dismissed, and returns with the next rejection', async () => {
    const page = await openPage(server);
    await send('/api/v1/ingest/nosuch', '{}');
    await strip(page).getByRole('button', { name: 'Dismiss' }).click();
    await strip(page).waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('.start').waitFor();
    await send('/api/v1/ingest/json', '{}', 'of-yesterday');
    await expect.poll(() => summary(page).innerText()).toContain('The supplied authentication is invalid');
    expect(await summary(page).innerText()).toMatch(/^1 request or record rejected/);
  });

  it('links to the events in humio-activity, and does not count invalid queries from the page', async () => {
    await sendRecords(server, [{ msg: 'one' }]);
    const page = await openPage(server, { hash: 'live=off&q=groupBi()' });
    await page.getByRole('alert').waitFor();
    await send('/api/v1/ingest/nosuch', '{}');
    await summary(page).click();
    await strip(page).getByRole('button', { name: 'Search in humio-activity' }).click();
    await page.locator('.row .message', { hasText: 'There is no POST /api/v1/ingest/nosuch.' }).waitFor();
    expect(server.inspect.rejections()).toHaveLength(1);
  });
});

describe('Dialog "About this repository"', () => {
  const open = (page: Page) => page.getByTitle('About this repository').click();
  const facts = (page: Page) => page.getByRole('dialog', { name: 'About this repository' });

  it('shows the records, size, oldest record and rate of the repository, with the limits', async () => {
    await sendRecords(server, [{ msg: 'one' }, { msg: 'two' }]);
    // Stored in 1970.
    await send('/api/v1/ingest/json', '{"@timestamp":1795328764}');
    const page = await openPage(server);
    await open(page);
    await expect.poll(() => facts(page).innerText()).toContain('Records');
    const text = await facts(page).innerText();
    expect(text).toContain('3 of 250,000 (under 0.1%)');
    expect(text).toContain('0 MiB of 256 MiB (under 0.1%)');
    expect(text).toContain('1970-01-21');
    expect(text).toContain('3 in the last minute');
  });

  it('deletes all records only after a confirmation, which Enter cancels', async () => {
    await sendRecords(server, [{ msg: 'one' }, { msg: 'two' }]);
    const page = await openPage(server);
    await page.locator('.row').first().waitFor();
    await open(page);
    await page.getByRole('button', { name: 'Delete all records…' }).click();
    expect(await page.getByRole('alertdialog').innerText()).toContain('Delete 2 records of sandbox?');
    // The safe answer has the focus.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Delete all records…' }).click();
    expect(server.inspect.store().events).toBe(2);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.locator('.start').waitFor();
    expect(server.inspect.store()).toMatchObject({ events: 0, bytes: 0 });
    await sendRecords(server, [{ msg: 'three' }]);
    await page.locator('.row .message', { hasText: 'three' }).waitFor();
  });

  it('does not offer to delete records in a view', async () => {
    await sendRecords(server, [{ msg: 'one' }]);
    const page = await openPage(server, { hash: 'repo=humio-search-all' });
    await open(page);
    await facts(page).getByText('This is a view').waitFor();
    expect(await facts(page).innerText()).toContain('not reported');
    expect(await page.getByRole('button', { name: 'Delete all records…' }).count()).toBe(0);
  });

  it('shows what queries find if the service reports neither sizes nor rejections', async () => {
    await sendRecords(server, [{ msg: 'one' }]);
    await send('/api/v1/ingest/nosuch', '{}');
    const page = await openPage(server);
    await page.context().route(/graphql|health-json/, (route) => route.fulfill({ status: 404, body: 'no' }));
    await page.evaluate("location.hash = 'repo=sandbox'");
    await page.reload();
    await page.locator('.row').first().waitFor();
    await open(page);
    await expect.poll(() => facts(page).innerText()).toMatch(/Records\s+1\s+Size\s+not reported/);
    expect(await facts(page).innerText()).toContain('This service does not report rejected requests.');
    expect(await strip(page).count()).toBe(0);
  });
});
