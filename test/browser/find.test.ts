import { describe, expect, it } from 'vitest';
import { openPage, sendRecords, startServer } from './browser.ts';

const RECORDS = Array.from({ length: 180 }, (_, index) => ({
  level: 'info',
  ms: index / 4,
  msg: `job ${index} done`,
  ...(index % 60 === 7 ? { note: 'Lost its lease' } : {}),
}));

describe('Finding text in the loaded records', () => {
  it('covers rows that are not rendered, in any field and case, with Ctrl+F, Enter, n and N', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByText('180 records').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('lost its');
    await page.getByText('– of 3').waitFor();
    for (const [key, place, message] of [
      ['Shift+Enter', '3 of 3', 'job 127 done'],
      ['Shift+Enter', '2 of 3', 'job 67 done'],
      ['Enter', '3 of 3', 'job 127 done'],
      ['Escape', '3 of 3', 'job 127 done'],
      ['N', '2 of 3', 'job 67 done'],
      ['N', '1 of 3', 'job 7 done'],
      ['n', '2 of 3', 'job 67 done'],
    ] as const) {
      await page.keyboard.press(key);
      await page.getByText(place).waitFor();
      await page.locator('.row[data-selected]', { hasText: message }).waitFor();
    }
    expect(await page.locator('.row[data-selected] mark').first().innerText()).toBe('Lost its');
  });

  it.each([
    ['newest-last', ['job 7 done', 'job 67 done', 'job 127 done', 'job 7 done']],
    ['newest-first', ['job 127 done', 'job 67 done', 'job 7 done', 'job 127 done']],
  ])('starts at the visible rows, and goes down and around in the order %s', async (order, messages) => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { hash: `live=off&order=${order}` });
    await page.getByText('180 records').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('lost its');
    for (const [index, message] of messages.entries()) {
      await page.keyboard.press('Enter');
      await page.getByText(`${(index % 3) + 1} of 3`).waitFor();
      await page.locator('.row[data-selected]', { hasText: message }).waitFor();
    }
    await page.keyboard.press('Shift+Enter');
    await page.getByText('3 of 3').waitFor();
  });
});

describe('The list of fields', () => {
  it('folds the fields of the service, and shows the range of numbers in the whole search', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { hash: 'live=off' });
    const names = page.locator('.field bdi');
    await expect.poll(() => names.allInnerTexts()).toEqual(['#service', 'level', 'msg', 'ms', 'note'].sort());
    await page.getByRole('button', { name: /^ms \d/ }).click();
    await page.getByText('min 0 · avg 22.38 · max 44.75').waitFor();
    await page.getByLabel('Find a field').fill('raw');
    await expect.poll(() => names.allInnerTexts()).toEqual(['@rawstring']);
    await page.getByLabel('Find a field').fill('');
    await page.getByRole('button', { name: 'Fields of the service' }).click();
    await expect.poll(() => names.allInnerTexts()).toContain('@rawstring');
  });
});
