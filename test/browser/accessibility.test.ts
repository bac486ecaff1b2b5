import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openPage, sendRecords, startServer } from './browser.ts';

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** With the size of buttons and links, which axe doesn't check by default. */
const ALL_RULES = { rules: { 'target-size': { enabled: true } } };

/** The violations that axe reports, one line per element: of these rules, or of all. */
async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run(${JSON.stringify(rules === undefined ? ALL_RULES : { runOnly: rules })})`,
  );
  return violations.flatMap(({ id, nodes }) =>
    // Below an open panel, a button need not be reached.
    nodes
      .filter(({ failureSummary }) => !failureSummary.includes('partially obscured'))
      .map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
}

/** The violations in each color scheme. Only those of colors depend on it. */
async function violationsOfSchemes(page: Page): Promise<Record<string, readonly string[]>> {
  const light = await violations(page);
  await setColors(page, 'dark');
  const dark = await violations(page, ['color-contrast']);
  await setColors(page, 'light');
  return { light, dark };
}

async function setColors(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    'for (const change of document.getAnimations()) if (change instanceof CSSTransition) change.finish()',
  );
}

const NO_VIOLATIONS = { light: [], dark: [] };

const RECORDS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level, index) => ({
  level,
  ms: 300 * index,
  status: 100 * index,
  reqId: 'r1',
  err: { stack: 'Error: no stock\n    at buy (/srv/buy.js:3:9)\n    at next (/srv/node_modules/a.js:1:1)' },
  msg: `at level ${level}`,
}));

/** Brings a loaded page into a state. */
type Act = (page: Page) => Promise<unknown>;

const STATES: readonly (readonly [string, string, Act])[] = [
  ['the tail', '', (page) => page.locator('.field').first().waitFor()],
  ['a table', 'live=off&view=table&column=ms&filter=ms%3D*', (page) => page.locator('.table-head').waitFor()],
  [
    'a request',
    'live=off&filter=reqId%3Dr1&request=r1',
    (page) => page.getByText('6 records in 1 service').waitFor(),
  ],
  ['similar records', 'live=off&view=patterns', (page) => page.locator('.patterns').waitFor()],
  [
    'a record',
    'live=off',
    async (page) => {
      await page.locator('.row .message').last().click();
      await page.getByRole('tab', { name: 'Fields' }).click();
    },
  ],
  ['a chart over time', 'live=off&q=timeChart(level)', (page) => page.locator('.u-legend').waitFor()],
  ['bars', 'live=off&q=groupBy(level)', (page) => page.locator('.bars').waitFor()],
  ['an error', 'live=off&q=groupBi()', (page) => page.getByRole('alert').waitFor()],
  ['the list of keys', 'live=off', (page) => page.keyboard.press('?')],
  ['the time range', 'live=off', (page) => page.getByTitle('Time range').click()],
  ['rejected requests', 'live=off', (page) => page.locator('.rejections-summary').click()],
  [
    'the question before records are deleted',
    'live=off',
    async (page) => {
      await page.getByTitle('About this repository').click();
      await page.getByRole('button', { name: 'Delete all records…' }).click();
    },
  ],
];

describe('Accessibility of the page', () => {
  it('has no axe violations in any state, light or dark', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    await fetch(`${server.url}/api/v1/ingest/json`, { method: 'POST', body: '{}' });
    const page = await openPage(server);
    await page.locator('.row').first().waitFor();
    await page.evaluate(axe.source);
    for (const [state, hash, act] of STATES) {
      // Another query first, so that no state finds the results of the last one.
      await page.evaluate(`location.hash = 'live=off&q=nothing'`);
      await page.getByText('No matching records').waitFor();
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await page.getByText('No matching records').waitFor({ state: 'detached' });
      await page.getByText('searching').waitFor({ state: 'detached' });
      await act(page);
      // What belongs to the last search is pale.
      await expect
        .poll(() => page.locator('.histogram[data-stale] .histogram-plot').count(), { message: state })
        .toBe(0);
      expect(await violationsOfSchemes(page), state).toEqual(NO_VIOLATIONS);
      await page.keyboard.press('Escape');
    }
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(`location.hash = 'live=off'`);
    // They cover half of a narrow list.
    await page.getByRole('button', { name: 'Fields', exact: true }).click();
    await page.locator('.row .message').last().click();
    await page.locator('.detail').waitFor();
    expect(await violations(page), 'narrow').toEqual([]);
    await page.setViewportSize(size);
  });

  it('has no axe violations with no records, light or dark', async () => {
    const page = await openPage(await startServer());
    await page.locator('.start').waitFor();
    await page.evaluate(axe.source);
    expect(await violationsOfSchemes(page)).toEqual(NO_VIOLATIONS);
  });
});

describe('Keyboard navigation', () => {
  it('focuses the input of a panel that opens, and reaches the result from the first stop', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server);
    await page.locator('.row').nth(5).waitFor();
    await page.getByRole('button', { name: 'Saved and earlier queries' }).click();
    await page.keyboard.type('cache');
    expect(await page.getByLabel('Name for this query').inputValue()).toBe('cache');
    expect(page.url()).not.toContain('cleared');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Skip to the result' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.className')).toBe('scroller');
  });

  it('says that the browser refused to copy', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server);
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("denied"))');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: 'Copy as CLI command' }).click();
    await page.getByText('The browser refused').waitFor();
  });

  it('searches, selects, opens and closes records, resumes the tail and clears the list', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server);
    await page.locator('.row').nth(5).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('level');
    await page.keyboard.press('Enter');
    await page.locator('mark').nth(5).waitFor();
    // Until the search has its result, Escape stops it.
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.keyboard.press('Escape');

    await page.keyboard.press('e');
    await page.locator('.row[data-selected]', { hasText: 'at level fatal' }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.row[data-selected]', { hasText: 'at level error' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.locator('.detail').waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.detail').waitFor({ state: 'detached' });

    await page.locator('.pill', { hasText: 'paused' }).waitFor();
    await page.keyboard.press('t');
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await page.getByText('No matching records since you cleared the list').waitFor();
  });
});

describe('Colors of the page', () => {
  it('follow the color scheme of the system', async () => {
    const server = await startServer();
    await sendRecords(server, RECORDS);
    const page = await openPage(server, { context: { colorScheme: 'dark' } });
    await page.locator('.row').first().waitFor();
    const background = 'getComputedStyle(document.querySelector(".results")).backgroundColor';
    expect(await page.evaluate(background)).toBe('rgb(23, 26, 33)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)');
  });
});
