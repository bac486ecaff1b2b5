import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { openPage, sendRecords, startServer } from './browser.ts';

async function openCost(before?: (page: Awaited<ReturnType<typeof openPage>>) => Promise<void>) {
  const server = await startServer();
  const now = Date.now();
  const debug = Array.from({ length: 300 }, (_, index) => ({
    level: 'debug',
    msg: `hit of key ${index}`,
    padding: 'x'.repeat(200),
  }));
  await sendRecords(server, debug, { now: now - 60_000 });
  await sendRecords(server, [{ level: 'info', msg: 'order <b>placed</b>' }], { now });
  const page = await openPage(server, { hash: 'live=off' });
  await page.getByText('301 records').first().waitFor();
  await before?.(page);
  await page.getByRole('button', { name: 'Cost' }).click();
  return page;
}

it('The cost of a result is shown by level, service, message and field, with what would save some', async () => {
  const page = await openCost();
  const view = page.getByRole('region', { name: 'Cost' });
  await view.getByText('of 301 records').waitFor();
  const rows = await view.getByRole('row').evaluateAll((all) => all.map((row) => row.textContent ?? ''));
  for (const name of ['shop', 'debug', 'hit of key', 'padding', 'order <b>placed</b>']) {
    expect(rows).toContainEqual(expect.stringContaining(name));
  }
  expect(await view.locator('b').count()).toBe(0);
  expect(await view.locator('.notice').first().innerText()).toMatch(/shop.*−\d+(\.\d)? %/s);
  await view.getByRole('button', { name: 'bytes', exact: true }).click();
  expect(await view.getByRole('row').nth(1).innerText()).toMatch(/^(total|service)/);
  expect(page.url()).toContain('view=cost');
});

it('An export of the cost has the rows and columns of the view, in its order, and what would save some', async () => {
  const page = await openCost();
  const view = page.getByRole('region', { name: 'Cost' });
  await view.getByRole('button', { name: 'name', exact: true }).click();
  const cellsOf = (row: string): Promise<string[]> =>
    view.locator(`${row} .cell`).evaluateAll((cells) => cells.map((cell) => cell.title || cell.innerText));
  await expect.poll(() => cellsOf('.table-head')).toContain('name ↓');
  // Records of one minute have no volume per month.
  const columns = ['by', 'name', 'bytes', 'percent', 'bytesPerDay'];
  expect((await cellsOf('.table-head')).map((text) => text.replace(' ↓', ''))).toEqual(columns);
  const shown = await cellsOf('.result-row:not(.table-head)');
  const savings = await view.locator('.notice').allInnerTexts();

  await page.getByRole('button', { name: 'Export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'NDJSON' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
  const rows: Record<string, unknown>[] = lines.map((line) => JSON.parse(line));
  const amounts = rows.filter(({ by }) => by !== 'saving');
  expect(amounts.flatMap((row) => columns.map((name) => String(row[name] ?? '')))).toEqual(shown);
  const saving = rows.filter(({ by }) => by === 'saving');
  const notes = saving.map(({ name, percent }) => `${name}: −${-Number(percent)} %`);
  expect(notes.toSorted()).toEqual(savings.toSorted());
});

it('The cost view says which command to run where the server does not count bytes', async () => {
  const page = await openCost(async (opened) => {
    await opened.route('**/cost', (route) => route.fulfill({ status: 404, body: '' }));
  });
  await page.getByText('logclient cost FILE').waitFor();
});
