import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, sendRecords, startServer } from './browser.ts';

const LONG = 'a sentence that needs several lines of a table '.repeat(6).trim();
const RECORDS = Array.from({ length: 6 }, (_, n) => ({ n, path: `/orders/${n}`, user: `u${n}`, msg: LONG }));

async function openTable(hash = ''): Promise<Page> {
  const server = await startServer();
  await sendRecords(server, RECORDS);
  const columns = 'column=n&column=path&column=user';
  const page = await openPage(server, { hash: `live=off&view=table&${columns}&${hash}` });
  await page.locator('.row[data-severity]').nth(5).waitFor();
  return page;
}

/** The headings, and the cells of the first record, left to right. */
async function columnsOf(page: Page): Promise<string[][]> {
  const cells = await page.locator('.row[data-severity]').first().locator('.cell').allInnerTexts();
  return [await page.locator('.column-name').allInnerTexts(), cells];
}

/** `undefined` while the table is being replaced. */
async function widthOf(page: Page, name: string): Promise<number | undefined> {
  return (await page.getByRole('columnheader', { name }).boundingBox())?.width;
}

/** Drags an element sideways, from its middle. */
async function drag(page: Page, selector: string, distance: number): Promise<void> {
  const { x, y, width, height } = (await page.locator(selector).first().boundingBox())!;
  const [left, top] = [x + width / 2, y + height / 2];
  await page.mouse.move(left, top);
  await page.mouse.down();
  await page.mouse.move(left + distance / 2, top);
  await page.mouse.move(left + distance, top);
  await page.mouse.up();
}

describe('Columns of the table', () => {
  it.each([1280, 390])('are moved by dragging a heading, at a width of %i pixels', async (width) => {
    const page = await openTable();
    if (width < 900) await page.getByRole('button', { name: 'Fields', exact: true }).click();
    await page.setViewportSize({ width, height: 800 });
    await drag(page, '.column-name', 190);
    await expect
      .poll(() => columnsOf(page))
      .toEqual([
        ['path', 'n', 'user'],
        ['/orders/0', '0', 'u0'],
      ]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goBack();
    await expect
      .poll(() => columnsOf(page))
      .toEqual([
        ['n', 'path', 'user'],
        ['0', '/orders/0', 'u0'],
      ]);
  });

  it('get the width to which their edge is dragged, also after a reload and in the table of a result', async () => {
    const page = await openTable();
    expect(await widthOf(page, 'path')).toBe(170);
    await drag(page, '.column-edge >> nth=1', 60);
    await expect.poll(() => widthOf(page, 'path')).toBe(230);
    await drag(page, '.column-edge', -400);
    await expect.poll(() => widthOf(page, 'n Remove')).toBe(48);
    await page.reload();
    await page.locator('.row[data-severity]').nth(5).waitFor();
    expect(await widthOf(page, 'path')).toBe(230);
    const cell = page.locator('.row[data-severity]').first().locator('.cell').nth(1);
    expect((await cell.boundingBox())!.width).toBe(230);
    await page.evaluate(`location.hash += '&q=select([path])'`);
    await expect.poll(() => widthOf(page, 'path')).toBe(230);
  });

  it('are moved and resized with arrow keys, which then neither open nor close a record', async () => {
    const page = await openTable();
    await page.keyboard.press('j');
    const heading = page.locator('.column-name', { hasText: 'user' });
    await heading.focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.column-name:focus', { hasText: 'user' }).waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect
      .poll(() => columnsOf(page))
      .toEqual([
        ['user', 'n', 'path'],
        ['u0', '0', '/orders/0'],
      ]);
    await page.locator('.column-name:focus').waitFor();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => widthOf(page, 'user')).toBe(190);
    expect(await page.locator('.detail').count()).toBe(0);
  });

  it('make the table wider than the page, which scrolls, instead of narrower than their widths', async () => {
    const page = await openTable('width=900.path');
    const scroller = 'document.querySelector(".scroller")';
    expect(await page.evaluate(`${scroller}.scrollWidth > ${scroller}.clientWidth`)).toBe(true);
    const row = page.locator('.row[data-severity]').first();
    const message = await row.locator('.message-cell').boundingBox();
    expect(message!.width).toBe(240);
    expect((await row.boundingBox())!.width).toBeGreaterThan(1280);
  });

  it('and lists continue on further lines with Wrap, which a saved view keeps, with their order and widths', async () => {
    const page = await openTable('width=99.path');
    const message = page.locator('.row .message').nth(1);
    const height = async (): Promise<number> => (await message.boundingBox())!.height;
    expect(await height()).toBeLessThan(30);
    await page.getByRole('button', { name: 'Wrap' }).click();
    await expect.poll(height).toBeGreaterThan(40);
    const shown = new URL(page.url()).hash;
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill('my columns');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^my columns/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate(`location.hash = 'live=off'`);
    await expect.poll(height).toBeLessThan(30);
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByRole('button', { name: /^my columns/ }).click();
    await page.getByRole('columnheader', { name: 'path' }).waitFor();
    expect(new URL(page.url()).hash.split('&').sort()).toEqual(shown.split('&').sort());
    await page.getByRole('button', { name: 'List', exact: true }).click();
    await expect
      .poll(() =>
        page
          .locator('.row .message')
          .first()
          .boundingBox()
          .then((box) => box!.height),
      )
      .toBeGreaterThan(40);
  });
});
