import { describe, expect, it } from 'vitest';
import { openPage, rowMessages, sendRecords, startServer } from './browser.ts';

const RECORDS = Array.from({ length: 9 }, (_, n) => ({
  n,
  level: n % 2 ? 'info' : 'error',
  msg: `step ${n}`,
}));

describe('Bookmarks', () => {
  it('are set with the mouse or the key b, travel in the link, and show their records whatever was searched', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { hash: 'live=off' });
    const marked = page.locator('.row[data-bookmarked]');
    await page.locator('.row .message', { hasText: 'step 2' }).click();
    await page.getByRole('button', { name: 'Bookmark', exact: false }).last().click();
    await page.keyboard.press('Escape');
    await page.locator('.row[data-selected]', { hasText: 'step 2' }).waitFor();
    for (const key of ['j', 'j', 'b', 'j', 'b', 'b']) await page.keyboard.press(key);
    await expect.poll(() => marked.locator('.message').allInnerTexts()).toEqual(['step 2', 'step 4']);

    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: /^Copy link/ }).click();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    const other = await openPage(server, { hash: `${new URL(link).hash.slice(1)}&q=nothing` });
    await other.getByText('No matching records').waitFor();
    await other.getByRole('button', { name: '2 bookmarks' }).click();
    await expect.poll(() => rowMessages(other)).toEqual(['step 2', 'step 4']);
    expect(await other.locator('.row[data-bookmarked]').count()).toBe(2);
    await other.getByRole('button', { name: /^Remove the filter/ }).click();
    await expect.poll(() => rowMessages(other)).toContain('step 3');
  });

  it('of a later search stay on the way back to an earlier one', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByText('9 records').waitFor();
    await page.getByRole('button', { name: /^error/ }).click();
    await page.getByText('5 records').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('b');
    await page.getByRole('button', { name: '1 bookmark', exact: true }).waitFor();
    await page.goBack();
    await page.getByText('9 records').waitFor();
    await page.getByRole('button', { name: '1 bookmark', exact: true }).waitFor();
    expect(new URL(page.url()).hash).toContain('mark=');
  });
});
