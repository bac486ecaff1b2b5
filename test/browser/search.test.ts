import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import type { Fault, LocalServer } from '../../src/server/index.ts';
import { ERROR_SPELLINGS, ERROR_VIEW } from '../helpers/error-spellings.ts';
import { openPage, openProfile, rowMessages, sendRecords, startServer } from './browser.ts';

let server: LocalServer;

const RECORDS = [
  { level: 'info', ms: 12, path: '/cart', msg: 'request completed' },
  { level: 'info', ms: 900, path: '/pay', msg: 'request completed' },
  { level: 'warn', ms: 30, path: '/cart', msg: 'slow bank' },
  { level: 'error', ms: 45, path: '/pay', reqId: 'r1', user: { id: 7 }, msg: 'payment failed' },
];

beforeEach(async () => {
  server = await startServer();
  await sendRecords(server, RECORDS);
});

/** Writes a query in place of the one in the editor, and runs it. */
async function run(page: Page, query: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Query' }).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.press('Delete');
  await page.keyboard.type(query, { delay: 2 });
  await page.keyboard.press('Enter');
}

/** Shows a search in an open page, as a link to it does. */
async function show(page: Page, parameters: Readonly<Record<string, string>>): Promise<void> {
  const hash = new URLSearchParams({ live: 'off', ...parameters }).toString();
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

describe('Search', () => {
  it('shows matching records, highlights the words of the query and puts the query in the URL', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await run(page, 'payment');
    await page.locator('mark', { hasText: 'payment' }).waitFor();
    expect(await rowMessages(page)).toEqual(['payment failed']);
    expect(page.url()).toContain('q=payment');
    expect(await page.locator('.status-bar').innerText()).toContain('1 record');
  });

  it('underlines errors, those of syntax before the query runs, and shows results once it is fixed', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await run(page, 'level=error | gruopBy(path)');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Did you mean "groupBy"?');
    expect(await page.locator('.cm-lintRange-error').innerText()).toBe('gruopBy');

    await run(page, 'level=error | groupBy(path)');
    await page.locator('.bars').getByText('/pay').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);

    await page.keyboard.type(' )');
    await page.locator('.cm-lintRange-error').waitFor();
  });

  it('completes field names, field values and functions, also with the input fields of an aggregate', async () => {
    const page = await openPage(server);
    await page.locator('.row').first().waitFor();
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.type('pat');
    await page.locator('.cm-completionLabel', { hasText: 'path' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.type('="/p');
    await page.locator('.cm-completionLabel', { hasText: '/pay' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await page.keyboard.type(' | groupB');
    await page.locator('.cm-completionLabel', { hasText: 'groupBy' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toBe('path="/pay" | groupB');

    await run(page, 'groupBy(level)');
    await page.locator('.bars').waitFor();
    await page.locator('.field', { hasText: 'path' }).waitFor();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await page.keyboard.type('pat');
    await page.locator('.cm-completionLabel', { hasText: 'path' }).waitFor();
  });

  it('replaces a selection with what is typed or composed over it, and puts quotes around it', async () => {
    const page = await openPage(server);
    const editor = page.getByRole('textbox', { name: 'Query' });
    await editor.click();
    await page.keyboard.type('level="error"');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('| count()');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('x y');
    expect(await editor.innerText()).toBe('x y');

    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('"');
    expect(await editor.innerText()).toBe('"x y"');

    const input = await page.context().newCDPSession(page);
    await page.keyboard.press('ControlOrMeta+a');
    await input.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
    await input.send('Input.insertText', { text: '日本' });
    await expect.poll(() => editor.innerText()).toBe('日本');
  });

  it('is requested once if the service rejects it', async () => {
    const page = await openPage(server);
    await page.getByText('4 records').waitFor();
    await page.clock.install();
    let rejected = 0;
    page.on('response', (response) => void (response.status() === 400 && rejected++));
    await run(page, 'level=');
    await page.getByRole('alert').waitFor();
    await page.clock.runFor(10_000);
    await page.waitForLoadState('networkidle');
    expect(rejected).toBe(1);
  });

  it('shows fields beside a long message whole, as many as fit', async () => {
    const record = {
      level: 'info',
      url: '/p/12?q=4980',
      status: 200,
      method: 'POST',
      msg: 'long '.repeat(24),
    };
    await sendRecords(server, [record]);
    const page = await openPage(server, { hash: 'q=long&live=off' });
    const chips = page.locator('.chip');
    await chips.nth(2).waitFor({ state: 'attached' });
    const isCut = await chips.evaluateAll((all) => all.map((chip) => chip.scrollWidth > chip.clientWidth));
    expect(isCut).toEqual([false, false, false]);
  });

  it('keeps a draft while ArrowUp and ArrowDown go through earlier queries, newest first', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    const editor = page.getByRole('textbox', { name: 'Query' });
    await run(page, 'level=warn');
    await page.getByText('1 record').waitFor();
    await run(page, 'level=info');
    await page.getByText('2 records').waitFor();
    await page.keyboard.press('ArrowUp');
    expect(await editor.innerText()).toBe('level=warn');
    await page.keyboard.press('Enter');
    await page.getByText('1 record').waitFor();

    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    // No completion follows a space.
    await page.keyboard.type('draft ');
    await page.keyboard.press('ArrowUp');
    expect(await editor.innerText()).toBe('level=warn');
    await page.keyboard.press('ArrowUp');
    expect(await editor.innerText()).toBe('level=info');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect((await editor.innerText()).trim()).toBe('draft');
  });

  it('adds a live aggregate to the query history of all tabs', async () => {
    const page = await openPage(server);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/`);
    await other.locator('.row').first().waitFor();
    await run(page, 'level=* | count()');
    await page.locator('.single-value').waitFor();
    await other.getByTitle('Saved and earlier queries').click();
    await other.getByRole('button', { name: 'level=* | count()' }).waitFor();
  });

  it('shows neither old counts nor "no records" if the query fails', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByText('4 records').waitFor();
    await run(page, 'gruopBy(path)');
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByRole('status').innerText()).toBe('');

    await page.goto(`${server.url}/#repo=missing`);
    await page.getByText('There is no repository or view with this name').waitFor();
    expect(await page.getByText('in this time range').count()).toBe(0);
  });

  it('shows values in tables as they were logged, and formats only results of functions and amounts', async () => {
    await sendRecords(server, [
      { id: '01234', big: '1234567890', lat: '52.520008', exp: '123e4', ms: 1234.5678 },
    ]);
    const page = await openPage(server, {
      hash: `live=off&q=${encodeURIComponent('id=* | table([id, big, lat, exp, ms])')}`,
    });
    const cells = (count: number) => async () => {
      const texts = await page.locator('.result-row .cell').allInnerTexts();
      return texts.slice(-count);
    };
    await expect.poll(cells(5)).toEqual(['01234', '1234567890', '52.520008', '123e4', '1,234.57']);
    await show(page, { q: 'id=* | groupBy(big, function=[count(), max(ms)])', form: 'table' });
    await expect.poll(cells(3)).toEqual(['1234567890', '1', '1,234.57']);
    expect(await page.getByTitle('1234.5678').count()).toBe(1);
  });

  it('marks a query that has not run, and runs it with a button', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByText('4 records').waitFor();
    await page.getByRole('textbox', { name: 'Query' }).click();
    await page.keyboard.type('payment ');
    await page.getByText('edited, not run').waitFor();
    await page.getByRole('button', { name: /^warn/ }).click();
    await page.getByText('1 record').waitFor();
    await page.getByRole('button', { name: 'edited, not run Search' }).click();
    await page.getByText('No matching records').waitFor();
    expect(await page.getByText('edited, not run').count()).toBe(0);
  });

  it('shows the rows of select() as a table, and adds filters behind definitions', async () => {
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent('select([msg, ms])')}` });
    await page.locator('.result-row', { hasText: 'slow bank' }).waitFor();
    const query = 'defineTable(name=t, query={level=warn}, include=path) | match(file=t, field=path)';
    await show(page, { q: query, filter: 'level=info' });
    await page.getByText('1 record').waitFor();
    expect(await rowMessages(page)).toEqual(['request completed']);
  });

  it('restores a saved query that was deleted', async () => {
    const page = await openPage(server, { hash: 'live=off&q=level%3Dwarn&filter=ms%3E0' });
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill('slow ones');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Delete the saved query slow ones' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: /slow ones ms>0 \| level=warn/ }).waitFor();
  });

  it('saves a query in the repository and runs it from the list of queries', async () => {
    const page = await openPage(server, { hash: 'live=off&q=level%3Dwarn' });
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill('slow ones');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /slow ones level=warn/ }).waitFor();
    // The button that was pressed is disabled again: the next keys must not be shortcuts.
    await page.keyboard.type('cache');
    expect(await page.getByLabel('Name for this query').inputValue()).toBe('cache');
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.title')).toBe('Saved and earlier queries');
    expect(page.url()).not.toContain('cleared');

    const other = await openPage(server, { hash: 'live=off' });
    await other.getByTitle('Saved and earlier queries').click();
    await other.getByRole('button', { name: /slow ones level=warn/ }).click();
    await other.locator('.row', { hasText: 'slow bank' }).waitFor();
    await other.getByText('1 record').waitFor();
  });

  it('saves filters, levels, time range and columns with a query, and the query that other programs run', async () => {
    const saved = 'live=off&level=error&filter=path%3D%22%2Fpay%22&column=ms&view=table&start=7d&q=failed';
    const page = await openPage(server, { hash: saved });
    await page.locator('.row', { hasText: 'payment failed' }).waitFor();
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill('failed payments');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: /^failed payments/ }).waitFor();
    const client = new LogClient({ baseUrl: server.url, userToken: server.userToken, repository: 'sandbox' });
    const [query] = await client.listSavedQueries();
    expect(query!.query.queryString).toBe(
      'path="/pay" level=/^(?:error|50|500|3|err|severe|fail)$/i | failed',
    );

    const other = await openPage(server, { hash: 'live=off' });
    await other.getByTitle('Saved and earlier queries').click();
    await other.getByRole('button', { name: /^failed payments/ }).click();
    await other.locator('.table-head', { hasText: 'ms' }).waitFor();
    const stateOf = (shown: Page): string[] => new URL(shown.url()).hash.slice(1).split('&').sort();
    expect(stateOf(other)).toEqual(stateOf(page));
  });
});

describe('A search that runs', () => {
  /** Answers polls of the search as long as it runs: with some events and half of the work. */
  async function openSlowly(
    hash: string,
  ): Promise<{ page: Page; finish: () => void; deleted: () => number }> {
    let isDone = false;
    let deleted = 0;
    const page = await openPage(server, { hash: `live=off&${hash}` });
    await page.getByText('4 records').waitFor();
    await page.locator('.level-button').first().waitFor();
    // A poll may be on its way when the test ends.
    onTestFinished(() => page.unrouteAll({ behavior: 'ignoreErrors' }));
    await page.route('**/queryjobs/*', async (route) => {
      if (route.request().method() === 'DELETE') deleted += 1;
      const response = await route.fetch();
      if (route.request().method() !== 'GET' || isDone) return route.fulfill({ response });
      const result = await response.json();
      const metaData = { ...result.metaData, totalWork: 10, workDone: 5, pollAfter: 50 };
      await route.fulfill({ response, json: { ...result, done: false, metaData } });
    });
    const finish = (): void => {
      isDone = true;
    };
    return { page, finish, deleted: () => deleted };
  }

  it('shows its progress and what it has found so far, then the whole result', async () => {
    const { page, finish } = await openSlowly('');
    await run(page, 'bank');
    await page.locator('progress[value="0.5"]').waitFor();
    await page.locator('.row', { hasText: 'slow bank' }).waitFor();
    await expect.poll(() => page.locator('.row').count()).toBe(1);
    finish();
    await page.locator('progress').waitFor({ state: 'detached' });
    await page.getByText('1 record').waitFor();
  });

  it('dims the old rows until it has rows of its own', async () => {
    const { page, finish } = await openSlowly('');
    await run(page, 'nothing | count()');
    await page.locator('.results[data-stale]').waitFor();
    finish();
    await page.locator('.single-value').waitFor();
    await page.locator('.results[data-stale]').waitFor({ state: 'detached' });
  });

  it('dims the histogram until it has counts of its own, also if the user goes back meanwhile', async () => {
    const { page, finish } = await openSlowly('');
    await run(page, 'bank');
    await page.locator('.histogram[data-stale]').waitFor();
    await page.goBack();
    await page.locator('progress').waitFor();
    finish();
    await page.getByText('4 records').waitFor();
    await page.locator('.histogram:not([data-stale]) .histogram-plot').waitFor();
  });

  it.each([
    ['Escape', (page: Page) => page.keyboard.press('Escape')],
    ['the Stop button', (page: Page) => page.getByTitle('Stop (Esc)').click()],
  ])('ends with %s, which deletes its job and keeps what it has found', async (_, stop) => {
    const { page, deleted } = await openSlowly('');
    await run(page, 'bank');
    await page.locator('progress[value="0.5"]').waitFor();
    await page.locator('.row', { hasText: 'slow bank' }).waitFor();
    const created: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') created.push(request.postDataJSON().queryString);
    });
    const before = deleted();
    await stop(page);
    await page.getByText('stopped · 1 record').waitFor();
    await expect.poll(deleted).toBeGreaterThan(before);
    expect(await page.locator('.row').count()).toBe(1);
    // The counts would be those of the earlier query, or need another query.
    await expect.poll(() => page.locator('.histogram-plot').count()).toBe(0);
    expect(created.filter((query) => String(query).includes('bank'))).toEqual([]);
  });
});

describe('Levels', () => {
  it('of an aggregate that is opened by its address are those of all fields that have one', async () => {
    await sendRecords(server, [{ severity_text: 'FATAL', msg: 'down' }]);
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent('count()')}` });
    await page.locator('.level-button', { hasText: 'fatal' }).waitFor();
    await page.locator('.level-button', { hasText: 'error' }).waitFor();
  });

  it('of all spellings have one button, which finds all of them', async () => {
    await sendRecords(server, [
      { level: 'ERROR', msg: 'upper case' },
      { level: '50', msg: 'a number' },
      { severity_text: 'Error', msg: 'OpenTelemetry' },
      { log: { level: 'err' }, msg: 'ECS' },
    ]);
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.level-button', { hasText: /^error 5$/ }).click();
    await page.getByText('5 records').waitFor();
    expect((await rowMessages(page)).toSorted()).toEqual([
      'ECS',
      'OpenTelemetry',
      'a number',
      'payment failed',
      'upper case',
    ]);
    expect(new Set(await page.locator('.row .level').allInnerTexts())).toEqual(new Set(['error']));
    await page.locator('.level-button', { hasText: /^error 5$/ }).click();
    await page.getByText('8 records').waitFor();
  });

  it('are counted and found in fields that only older records have', async () => {
    const now = Date.now() - 1000;
    await sendRecords(server, [{ log: { level: 'error' }, msg: 'old' }], { now: now - 10_000 });
    const newer = Array.from({ length: 600 }, () => ({ level: 'info', msg: 'new' }));
    await sendRecords(server, newer, { now });
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.level-button', { hasText: /^error 2$/ }).click();
    await page.getByText('2 records').waitFor();
    expect((await rowMessages(page)).toSorted()).toEqual(['old', 'payment failed']);
    // The address has the fields for the text of the query.
    await expect.poll(() => page.url()).toContain('&level-field=level&level-field=log.level');
  });

  it('have no button for records without a level, also while one is selected', async () => {
    await sendRecords(server, [{ msg: 'no level' }]);
    const page = await openPage(server, { hash: 'live=off&level=error' });
    await page.locator('.level-button', { hasText: 'info 2' }).waitFor();
    expect((await page.locator('.level-button').allInnerTexts()).length).toBe(3);
  });
});

describe('Fields', () => {
  it('of a live aggregate are counted once, whatever arrives', async () => {
    const page = await openPage(server, { hash: `q=${encodeURIComponent('groupBy(level)')}` });
    await page.locator('.bars').waitFor();
    let counted = 0;
    page.on('request', (request) => {
      if (request.postData()?.includes('top(path')) counted += 1;
    });
    await page.locator('.field', { hasText: 'path' }).click();
    await expect.poll(() => counted).toBe(1);
    for (const [level, count] of [
      ['info', '6'],
      ['error', '3'],
    ]) {
      await sendRecords(server, Array(level === 'info' ? 4 : 2).fill({ level, msg: 'more' }));
      await page.getByRole('row', { name: `${level} ${count}` }).waitFor();
    }
    expect(counted).toBe(1);
  });

  it('of a duration are drawn as its average and maximum over time', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.field', { hasText: /^ms\s*\d/ }).click();
    await page.locator('.field-tools').getByRole('button', { name: 'Chart' }).click();
    await page.locator('.u-legend', { hasText: 'avg_ms' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toBe(
      'timeChart(function=[avg(ms, as=avg_ms), max(ms, as=max_ms)])',
    );
  });
});

describe('Filters', () => {
  it('are set with level buttons, which keep showing the counts of all levels', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.level-button', { hasText: 'error 1' }).click();
    await page.getByText('1 record').waitFor();
    expect(await rowMessages(page)).toEqual(['payment failed']);
    await page.locator('.level-button', { hasText: 'info 2' }).waitFor();
    expect(page.url()).toContain('level=error');
  });

  it('can be switched off without being deleted', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.field', { hasText: 'path' }).click();
    await page.locator('.field-detail').getByText('/pay').click();
    await page.getByText('2 records').waitFor();
    await page.getByRole('switch', { name: 'path="/pay"' }).click();
    await page.getByText('4 records').waitFor();
    expect(page.url()).toContain('filter-off=path');
    await page.getByRole('switch', { name: 'path="/pay"' }).click();
    await page.getByText('2 records').waitFor();
  });

  it('can exclude the value of a field in an open record', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.row', { hasText: 'payment failed' }).locator('.message').click();
    await page.getByRole('tab', { name: 'Fields' }).click();
    const row = page.getByRole('row', { name: /^path/ });
    await row.getByTitle('Without this value').click();
    await page.getByText('2 records').waitFor();
  });
});

describe('Time range', () => {
  it('is entered in the selected time zone, also on a day with a clock change', async () => {
    const hash = `live=off&tz=Asia%2FTokyo&start=${Date.UTC(2026, 0, 1)}&end=${Date.UTC(2026, 0, 2)}`;
    const page = await openPage(server, { hash, context: { timezoneId: 'America/New_York' } });
    await page.getByTitle('Time range', { exact: true }).click();
    expect(await page.getByLabel('From').inputValue()).toBe('2026-01-01T09:00');
    await page.getByLabel('From').fill('2026-01-01T12:30:00');
    await page.getByRole('button', { name: 'Search this time' }).click();
    await expect.poll(() => page.url()).toContain(`start=${Date.UTC(2026, 0, 1, 3, 30)}&`);
    // New York set its clock back an hour earlier that day.
    await page.getByTitle('Time range', { exact: true }).click();
    await page.getByLabel('Show times in').selectOption('America/New_York');
    await page.getByLabel('From').fill('2025-11-02T03:00:00');
    await page.getByRole('button', { name: 'Search this time' }).click();
    await expect.poll(() => page.url()).toContain(`start=${Date.UTC(2025, 10, 2, 8)}&`);
  });
});

describe('All time', () => {
  const YEAR_2020 = Date.UTC(2020, 0, 1, 10, 30);

  /** Sends two records of January 2020, a minute apart, to an empty server. */
  async function oldServer(): Promise<LocalServer> {
    const old = await startServer();
    await sendRecords(old, [{ level: 'info', msg: 'first' }], { now: YEAR_2020 });
    await sendRecords(old, [{ level: 'info', msg: 'last' }], { now: YEAR_2020 + 60_000 });
    return old;
  }

  it('is the time from the first to the last record, for its input and for queries that read it', async () => {
    const page = await openPage(await oldServer(), { hash: 'live=off&start=all&tz=UTC' });
    await page.locator('.level-button', { hasText: 'info 2' }).waitFor();
    await page.getByTitle('Time range', { exact: true }).click();
    expect(await page.getByLabel('From').inputValue()).toBe('2020-01-01T10:30');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('2020-01-01T10:31');
    await page.keyboard.press('Escape');
    for (const [query, result] of [
      ['bucket(span=1h)', '2020-01-01 10:00'],
      ['start() | groupBy(_start)', '2020-01-01 10:30'],
      ['join({level=info}, field=level, start=1h) | groupBy(level)', 'info'],
    ] as const) {
      await show(page, { start: 'all', tz: 'UTC', form: 'table', q: query });
      await page.locator('.results').getByRole('cell', { name: result }).waitFor();
      await page.locator('.status-bar', { hasText: /^1 row/ }).waitFor();
    }
  });

  it('is a live interval that contains the records for timeChart()', async () => {
    const hash = `start=all&form=table&q=${encodeURIComponent('timeChart(level, span=30d)')}`;
    const page = await openPage(await oldServer(), { hash });
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    const rows = Number.parseInt(await page.locator('.status-bar [role=status]').innerText(), 10);
    const sinceThen = (Date.now() - YEAR_2020) / (30 * 86_400_000);
    expect(rows).toBeGreaterThanOrEqual(Math.floor(sinceThen));
    expect(rows).toBeLessThan(1.3 * sinceThen);
  });

  it('costs no further request for a query that does not read the interval', async () => {
    const queries: string[] = [];
    const page = await openPage(server, { hash: 'start=1h&live=off' });
    page.on('request', (request) => {
      if (request.method() === 'POST') queries.push(String(request.postDataJSON().queryString));
    });
    const hash = new URLSearchParams({
      start: 'all',
      live: 'off',
      level: 'error',
      q: 'payment | groupBy(path)',
    });
    await page.evaluate(`location.hash = '${hash}'`);
    await page.locator('.bars').getByText('/pay').waitFor();
    expect(queries.filter((query) => query.startsWith('[min('))).toEqual([]);
  });

  it('includes records of the future, and so does a link to them', async () => {
    await sendRecords(server, [{ level: 'fatal', msg: 'far ahead' }], { now: Date.UTC(2100, 0, 1) });
    const page = await openPage(server, { hash: 'live=off&start=all' });
    await page.getByText('5 records').waitFor();
    await page.locator('.level-button', { hasText: 'fatal 1' }).waitFor();
    await page.getByTitle('Export').click();
    await page.getByRole('button', { name: 'Copy link for this computer' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await readClipboard(server, page);
    const other = await openPage(server, { hash: link.split('#')[1]! });
    await other.getByText('5 records').waitFor();
  });
});

describe('Histogram', () => {
  it('has bars for records without a level, or without the field by which it is stacked', async () => {
    await sendRecords(server, [{ msg: 'no level' }, { msg: 'no level' }]);
    const page = await openPage(server, { hash: 'live=off&start=all' });
    await page.locator('.histogram-bars .bar[data-severity=none]').first().waitFor();
    const other = await openPage(server, { hash: 'live=off&start=all&by=reqId' });
    await other.locator('.histogram-legend', { hasText: '(none) 5' }).waitFor();
  });

  it('of a live search that is slow to count is loaded again after 10 seconds', async () => {
    const page = await (await openProfile()).newPage();
    await page.clock.install();
    let finish = (): void => {};
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const isChart = (text: string | null): boolean => text?.includes('timeChart') === true;
    await page.route('**/queryjobs', async (route) => {
      if (isChart(route.request().postData())) await isFinished;
      await route.continue();
    });
    const counting = page.waitForRequest((request) => isChart(request.postData()));
    await page.goto(`${server.url}/#token=${server.userToken}`);
    await counting;
    await page.clock.fastForward(20_000);
    finish();
    await page.locator('.level-button', { hasText: /^error 1$/ }).waitFor();
    await sendRecords(server, [{ level: 'error', msg: 'another one' }]);
    await page.clock.fastForward(10_000);
    await page.locator('.level-button', { hasText: /^error 2$/ }).waitFor();
  });

  it('has marks at round times, and a legend if stacked by another field', async () => {
    const page = await openPage(server, {
      hash: 'live=off&by=path',
      context: { timezoneId: 'Asia/Kolkata' },
    });
    await page.locator('.histogram-legend', { hasText: '/pay 2' }).waitFor();
    const marks = await page.locator('.time-axis span').allInnerTexts();
    expect(marks.length).toBeGreaterThan(3);
    for (const mark of marks) expect(mark).toMatch(/^\d\d:\d0$/);
    await page.getByTitle('Stack by level again').click();
    await expect.poll(() => page.url()).not.toContain('by=path');
  });

  it('zooms to the dragged range, and back with the Back button', async () => {
    const now = Date.now();
    await sendRecords(server, [{ level: 'info', msg: 'half an hour ago' }], { now: now - 1_800_000 });
    const page = await openPage(server, { hash: 'live=off' });
    await page.getByText('5 records').waitFor();
    await page.locator('.histogram-bars rect').first().waitFor();
    const box = (await page.locator('.histogram-bars').boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
    await page.mouse.move(box.x + box.width * 0.6, box.y + 20);
    await page.mouse.up();
    await page.getByText('1 record').waitFor();
    expect(await rowMessages(page)).toEqual(['half an hour ago']);
    await page.goBack();
    await page.getByText('5 records').waitFor();
  });
});

describe('Table of records', () => {
  it('has the selected fields as columns, also after a reload', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    for (const name of ['path', 'ms']) {
      await page.locator('.field', { hasText: name }).first().click();
      await page.locator('.field-tools').getByRole('button', { name: 'Column', exact: true }).click();
      await page.getByRole('columnheader', { name }).waitFor();
      await page.locator('.field', { hasText: name }).first().click();
    }
    await page.reload();
    await page.getByRole('columnheader', { name: 'ms' }).waitFor();
    const headings = await page.getByRole('columnheader').allInnerTexts();
    expect(headings.map((text) => text.replace('✕', '').trim())).toEqual([
      'Time',
      'Level',
      'path',
      'ms',
      'Message',
    ]);
    expect(await page.getByRole('row').nth(1).getByRole('cell').nth(2).innerText()).toBe('/cart');
  });
});

describe('Record details', () => {
  it('show nested fields and numbers as they were logged', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.row', { hasText: 'payment failed' }).locator('.message').click();
    const json = await page.locator('.json').innerText();
    expect(json.replace(/\s+/g, '')).toContain('user:{id:7}');
    expect(await page.locator('.json-number').allInnerTexts()).toEqual(['45', '7']);
  });

  it('scroll fully into view when the last record opens', async () => {
    const page = await openPage(server, { context: { viewport: { width: 1280, height: 600 } } });
    await sendRecords(
      server,
      Array.from({ length: 30 }, (_, index) => ({ level: 'info', msg: `later ${index}` })),
    );
    await page.locator('.row', { hasText: 'later 29' }).locator('.message').click();
    const list = (await page.locator('.scroller').boundingBox())!;
    await expect
      .poll(async () => {
        const detail = (await page.locator('.detail').boundingBox())!;
        return detail.y > list.y && detail.y + detail.height <= list.y + list.height + 1;
      })
      .toBe(true);
  });

  it('title each cause of an error, fold the frames of libraries, and open files in the chosen editor', async () => {
    const stack =
      'Error: no stock\n    at buy (/app/buy.js:3:9)\n    at next (/app/node_modules/express/a.js:1:1)\ncaused by: Error: closed\n    at query (/app/db.js:1:2)';
    await sendRecords(server, [{ level: 'error', msg: 'crashed', err: { stack } }]);
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.row', { hasText: 'crashed' }).locator('.message').click();
    expect(await page.locator('.stack-title').allInnerTexts()).toEqual([
      'Error: no stock',
      'caused by Error: closed',
    ]);
    const links = page.locator('.stack a');
    expect(await links.count()).toBe(2);
    expect(await links.first().getAttribute('href')).toBe('vscode://file/app/buy.js:3:9');
    await page.getByRole('button', { name: 'Show 1 frame of libraries' }).click();
    expect(await page.locator('.stack li').count()).toBe(3);
    await page.getByText('Opens in VS Code').click();
    await page.getByLabel('Editor').selectOption('Zed');
    await page.getByLabel('Path in the records').fill('/app');
    await page.getByLabel('Path on this machine').fill('/home/me/shop/');
    await page.reload();
    await page.locator('.row', { hasText: 'crashed' }).locator('.message').click();
    expect(await page.locator('.stack a').first().getAttribute('href')).toBe(
      'zed://file/home/me/shop/buy.js:3:9',
    );
  });

  it('of Go underline the file of a frame, which opens at its line, even if it is an argument, too', async () => {
    const stack =
      'panic: no stock\n\ngoroutine 1 [running]:\nmain.read({"/app/buy.go"})\n\t/app/buy.go:8 +0x25';
    await sendRecords(server, [{ level: 'error', msg: 'crashed', stack }]);
    const page = await openPage(server, { hash: 'live=off' });
    await page.locator('.row', { hasText: 'crashed' }).locator('.message').click();
    expect(await page.locator('.stack li').innerText()).toBe(
      'main.read({"/app/buy.go"}) /app/buy.go:8 +0x25',
    );
    const link = page.locator('.stack li a');
    expect(await link.innerText()).toBe('/app/buy.go');
    expect(await link.evaluate((element) => element.previousSibling!.textContent)).toBe(
      'main.read({"/app/buy.go"}) ',
    );
    expect(await link.getAttribute('href')).toBe('vscode://file/app/buy.go:8:1');
    const decoration = `getComputedStyle(document.querySelector('.stack li a')).textDecorationLine`;
    expect(await page.evaluate(decoration)).toBe('underline');
  });

  it('show the same error in every spelling', async () => {
    const spellings = Object.entries(ERROR_SPELLINGS);
    await sendRecords(
      server,
      spellings.map(([name, record]) => ({ level: 'error', spelling: name, ...record })),
    );
    const page = await openPage(server, { hash: 'live=off&q=spelling%3D*' });
    const rows = page.locator('.row');
    await expect.poll(() => rows.count()).toBe(spellings.length);
    for (let index = 0; index < spellings.length; index++) {
      await rows.nth(index).locator('.message').click();
      const shown = await page.locator('.stack > p, .stack > ol > li').allInnerTexts();
      expect(shown).toEqual(ERROR_VIEW.map((line) => line.trim()).filter((line) => !line.startsWith('…')));
      await page.getByRole('button', { name: 'Close the record' }).click();
    }
  });

  it('show the surrounding records, and all records with the same request ID', async () => {
    await sendRecords(server, [{ level: 'info', reqId: 'r1', msg: 'refunded' }]);
    const page = await openPage(server, { hash: 'live=off&q=level%3Derror' });
    await page.locator('.row', { hasText: 'payment failed' }).locator('.message').click();
    await page.getByRole('tab', { name: 'Around' }).click();
    await page.locator('.around').getByText('slow bank').waitFor();
    await page.getByRole('button', { name: 'All records with this reqId' }).click();
    await page.getByText('2 records in 1 service').waitFor();
    expect(await rowMessages(page)).toEqual(['payment failed', 'refunded']);
  });

  it('link to all records from 5 seconds before to 5 seconds after the record', async () => {
    const now = Date.now();
    await sendRecords(server, [{ level: 'info', msg: 'four before' }], {
      now: now - 4_000,
      service: 'other',
    });
    await sendRecords(server, [{ level: 'info', msg: 'six before' }], { now: now - 6_000, service: 'other' });
    await sendRecords(server, [{ level: 'fatal', msg: 'the end' }], { now });
    const page = await openPage(server, { hash: 'live=off&level=fatal' });
    await page.getByText('1 record').waitFor();
    await page.locator('.scroller').focus();
    await page.keyboard.press('j');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tab', { name: 'Around' }).click();
    await page.getByRole('button', { name: /^All records from 5 seconds before/ }).click();
    await page.locator('.row', { hasText: 'four before' }).waitFor();
    expect(await rowMessages(page)).not.toContain('six before');
    await page.locator('.scroller').focus();
    await page.keyboard.press('ArrowLeft');
    await page.locator('.detail').waitFor({ state: 'detached' });
  });

  it('can be copied as JSON, or as a link that shows only this record', async () => {
    const page = await openPage(server, {
      hash: 'live=off',
    });
    await page.locator('.row', { hasText: 'payment failed' }).locator('.message').click();
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(JSON.parse(text)).toMatchObject({ ms: 45, user: { id: 7 } });

    await page.getByRole('button', { name: 'Link', exact: true }).click();
    await page.getByRole('button', { name: 'Copied' }).last().waitFor();
    await page.goto('about:blank');
    await page.goto(await readClipboard(server, page));
    await page.getByText('1 record').waitFor();
    expect(await rowMessages(page)).toEqual(['payment failed']);
  });
});

/** The page must have the focus to read the clipboard. */
async function readClipboard({ url }: LocalServer, page: Page): Promise<string> {
  await page.goto(url);
  await page.bringToFront();
  const text = await page.evaluate<string>('navigator.clipboard.readText()');
  await page.goto('about:blank');
  return text;
}

describe('Query results', () => {
  it('timeChart() is drawn as a chart with a legend, as bars or as a table', async () => {
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent('timeChart(level)')}` });
    await page.locator('.u-legend', { hasText: 'error' }).waitFor();
    await page.locator('.plot canvas').waitFor();
    await page.getByRole('button', { name: 'Bars', exact: true }).click();
    expect(page.url()).toContain('chart=bar');
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual(['_bucket', 'level', '_count']);
  });

  it('timeChart() says so if the script for charts is not there', async () => {
    const page = await openPage(server, { hash: 'live=off' });
    await page.route('**/charts.js', (route) => route.fulfill({ status: 404 }));
    await page.evaluate(`location.hash += '&q=timeChart()'`);
    await page.getByText("The script for charts can't be loaded. Reload the page.").waitFor();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('columnheader', { name: '_count' }).waitFor();
  });

  it('stacked bars show the value of each series in the legend', async () => {
    const now = Date.now() + 1;
    await sendRecords(server, [{ level: 'info' }, { level: 'info' }], { service: 'mailer', now });
    const query = 'timeChart(#service, span=1h)';
    const page = await openPage(server, {
      hash: `live=off&start=24h&chart=bar&q=${encodeURIComponent(query)}`,
    });
    await page.locator('.u-legend', { hasText: 'mailer' }).waitFor();
    const { x, y, width, height } = (await page.locator('.u-over').boundingBox())!;
    await page.mouse.move(x + width - 2, y + height / 2);
    await expect
      .poll(() => page.locator('.u-series').allInnerTexts())
      .toEqual([
        expect.any(String),
        expect.stringMatching(/^shop\s*4$/),
        expect.stringMatching(/^mailer\s*2$/),
      ]);
  });

  it('the URL keeps the chart type, the sort order and the charted function', async () => {
    const query = 'groupBy(path, function=[count(), max(ms)])';
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(query)}` });
    await page.getByRole('button', { name: '_max' }).click();
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('columnheader', { name: '_max' }).getByRole('button').click();
    const copy = await page.context().newPage();
    await copy.goto(page.url());
    await copy.getByRole('row', { name: '/pay 2 900' }).waitFor();
    expect(await copy.getByRole('row').allInnerTexts()).toEqual([
      expect.stringContaining('_max ↓'),
      expect.stringContaining('/pay'),
      expect.stringContaining('/cart'),
    ]);
    await copy.getByRole('button', { name: 'Chart', exact: true }).click();
    await copy.getByRole('button', { name: '_max', pressed: true }).waitFor();
  });

  it('groups are bars, also those named by numbers, aggregates are large numbers, other rows are a table', async () => {
    const page = await openPage(server, { hash: 'live=off&q=sort(ms)' });
    await page.locator('.row').nth(3).waitFor();
    // The order of sort().
    expect(await page.locator('.chip', { hasText: /^ms=/ }).allInnerTexts()).toEqual([
      'ms=900',
      'ms=45',
      'ms=30',
      'ms=12',
    ]);
    await show(page, { q: 'groupBy([ms, user.id], function=[count(), max(ms, as=most)])' });
    await page.getByRole('row', { name: '45 · 7 1 45' }).waitFor();
    await run(page, 'groupBy("ms") | sort(_count)');
    await page.getByRole('row', { name: '900 1' }).waitFor();
    await show(page, { q: '[count(), max(ms)]' });
    await page.locator('.single-value', { hasText: '_max' }).waitFor();
    expect(await page.locator('.single-value b').allInnerTexts()).toEqual(['4', '900']);
    for (const [query, column] of [
      ['sankey(source=path, target=level)', 'source'],
      ['table([msg, ms])', 'msg'],
    ] as const) {
      await show(page, { q: query });
      const table = page.getByRole('table', { name: 'Rows of the result' });
      await table.getByRole('columnheader', { name: column }).waitFor();
      expect(await page.getByRole('group', { name: 'Form of the result' }).count()).toBe(0);
    }
  });

  it('groupBy() is drawn as bars with all numbers, and a click on a group shows its records', async () => {
    const query = 'groupBy(path, function=[count(), avg(ms)])';
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(query)}` });
    await page.getByRole('row', { name: '/pay 2 472.5' }).waitFor();
    await page.getByRole('button', { name: '/pay' }).click();
    await page.locator('.row', { hasText: 'payment failed' }).waitFor();
    expect((await rowMessages(page)).toSorted()).toEqual(['payment failed', 'request completed']);
  });

  it('a click on a group filters by computed and missing fields, and Back restores the bars', async () => {
    const query = 'ms > 12 | slow := ms * 2 | groupBy([path, slow, user.id])';
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(query)}` });
    await page.getByRole('button', { name: '/cart · 60 · ' }).click();
    await page.getByText('1 record').waitFor();
    expect(await rowMessages(page)).toEqual(['slow bank']);
    expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toBe(
      'ms > 12 | slow := ms * 2 | path="/cart" slow="60" (user.id="" or user.id!=*)',
    );
    await page.goBack();
    await page.locator('.bars').waitFor();
  });

  it('bars are the largest groups by the chosen number, however many there are', async () => {
    const records = Array.from({ length: 300 }, (_, index) => ({ user: `u${index}`, ms: index }));
    await sendRecords(server, records);
    const query = 'user=* | groupBy(user, function=[count(), max(ms, as=most)], limit=max)';
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(query)}&measure=most` });
    await page.getByText('200 largest of 300').waitFor();
    const names = await page.locator('.bars tbody th').allInnerTexts();
    expect([names[0], names.at(-1), names.length]).toEqual(['u299', 'u100', 200]);
  });

  it('select() without a message is a table, also live', async () => {
    const page = await openPage(server, { hash: `q=${encodeURIComponent('ms=* | select([path, ms])')}` });
    await page.getByRole('columnheader', { name: 'path' }).waitFor();
    await sendRecords(server, [{ path: '/new', ms: 77 }]);
    await page.getByRole('row', { name: '/new 77' }).waitFor();
    expect(await page.getByText('(no message)').count()).toBe(0);
  });

  it('"Group by" replaces the aggregate of the query and keeps its filters', async () => {
    const query = 'ms > 12 | groupBy(path)';
    const numbers = 'function=[count(), avg(ms, as=avg_ms), max(ms, as=max_ms)]';
    const page = await openPage(server, { hash: `live=off&level=info&q=${encodeURIComponent(query)}` });
    await page.locator('.bars').waitFor();
    await page.locator('.field', { hasText: 'level' }).click();
    await page.locator('.field-tools').getByRole('button', { name: 'Group by' }).click();
    await page.getByRole('row', { name: 'info 1' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Query' }).innerText()).toBe(
      `ms > 12 | groupBy(level, ${numbers})`,
    );
    await page.getByRole('button', { name: 'max_ms' }).click();
    await expect.poll(() => page.locator('.bars tbody tr').first().innerText()).toContain('900 ms');
  });

  it('count() is shown as a large number that updates as records arrive', async () => {
    const page = await openPage(server, { hash: `q=${encodeURIComponent('count()')}` });
    await page.locator('.single-value', { hasText: '4' }).waitFor();
    await sendRecords(server, RECORDS);
    await page.locator('.single-value', { hasText: '8' }).waitFor();
  });
});

describe('Export', () => {
  it('saves the result as CSV and NDJSON, in the order of the page', async () => {
    const query = 'groupBy(path, function=max(ms, as=most))';
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(query)}` });
    await page.locator('.bars').waitFor();
    for (const [format, content] of [
      ['CSV', 'path,most\r\n/pay,900\r\n/cart,30\r\n'],
      ['NDJSON', '{"path":"/pay","most":"900"}\n{"path":"/cart","most":"30"}\n'],
    ] as const) {
      await page.getByTitle('Export').click();
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: format, exact: true }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`sandbox.${format.toLowerCase()}`);
      expect(await readFile((await download.path())!, 'utf8')).toBe(content);
      await page.keyboard.press('Escape');
    }
  });

  it('is not cut off by the toolbar on a phone screen', async () => {
    const page = await openPage(server, {
      hash: 'live=off',
      context: { viewport: { width: 390, height: 844 } },
    });
    await page.getByText('4 records').waitFor();
    await page.getByTitle('Export').click();
    const { x, y } = (await page.getByRole('button', { name: 'CSV', exact: true }).boundingBox())!;
    const [left, top] = [Math.round(x), Math.round(y)];
    // What the toolbar cuts off is not there.
    const touched = await page.evaluate(`document.elementFromPoint(${left} + 10, ${top} + 10).textContent`);
    expect(touched).toBe('CSV');
  });

  it('copies a logclient query command with the query, filters and time range of the page', async () => {
    const page = await openPage(server, {
      hash: `live=off&level=error&q=${encodeURIComponent('user.id=7 | groupBy(path)')}`,
    });
    await page.locator('.results').waitFor();
    await page.getByTitle('Export').click();
    await page.getByRole('button', { name: 'Copy as CLI command' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await readClipboard(server, page)).toBe(
      `npx logclient query 'level=/^(?:error|50|500|3|err|severe|fail)$/i | user.id=7 | groupBy(path)' --repository 'sandbox' --since 1h`,
    );
  });

  it('copies commands that read the file, for a page that shows one', async () => {
    const page = await openPage(server, {
      hash: 'live=off&start=all&file=shop.log&q=payment',
    });
    const copied = (): Promise<string> => page.evaluate('navigator.clipboard.readText()');
    await page.locator('.row').click();
    await page.getByRole('button', { name: 'CLI', exact: true }).click();
    await expect
      .poll(copied)
      .toMatch(/^npx logclient query 'shop\.log' '@rawstring="\{.*payment failed.*\}"' --since 100years$/);
    await page.getByTitle('Export').click();
    await page.getByRole('button', { name: 'Copy as CLI command' }).click();
    await expect.poll(copied).toBe(`npx logclient query 'shop.log' 'payment' --since 100years`);
  });

  it('copies a link that shows the same records later, without the token', async () => {
    const page = await openPage(server, {
      hash: 'live=off&level=error&order=newest-first',
    });
    await page.getByText('1 record').waitFor();
    await page.getByTitle('Export').click();
    await page.getByRole('button', { name: 'Copy link for this computer' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const link = await readClipboard(server, page);
    expect(link).not.toContain(server.userToken);
    await sendRecords(server, [{ level: 'error', msg: 'another one' }]);
    const other = await openPage(server, { hash: link.split('#')[1]! });
    await expect.poll(() => rowMessages(other)).toEqual(['payment failed']);
    await other.getByRole('button', { name: 'Newest first ↑' }).waitFor();
  });

  it('contains all records, including those that the page has not loaded', async () => {
    await sendRecords(
      server,
      Array.from({ length: 500 }, (_, index) => ({ level: 'info', msg: `bulk ${index}` })),
    );
    const page = await openPage(server, { hash: 'live=off&q=bulk' });
    await page.getByText('200 of 500 records').waitFor();
    await page.getByTitle('Export').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'NDJSON', exact: true }).click(),
    ]);
    const lines = (await readFile((await download.path())!, 'utf8')).trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).msg)).size).toBe(500);
  });
});

it('an exported CSV has a column for each field, even one that first appears in the last record', async () => {
  const early = Array.from({ length: 6_000 }, () => ({ kind: 'row', text: 'a "b"\nc' }));
  await sendRecords(server, early, { now: Date.now() - 2_000 });
  await sendRecords(server, [{ kind: 'row', text: 'last', late: 'here' }], { now: Date.now() - 1_000 });
  const page = await openPage(server, {
    hash: `live=off&order=oldest-first&q=${encodeURIComponent('kind=row')}`,
  });
  await page.getByText('200 of 6,001 records').waitFor();
  await page.getByTitle('Export').click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV', exact: true }).click(),
  ]);
  const [header, ...lines] = (await readFile((await download.path())!, 'utf8')).trim().split('\r\n');
  const widthOf = (line: string): number => line.replace(/"[^"]*"/g, '').split(',').length;
  expect(header!.split(',')).toContain('late');
  expect(new Set(lines.map(widthOf))).toEqual(new Set([widthOf(header!)]));
  expect(lines.filter((line) => line.includes('here'))).toHaveLength(1);
});

it('an export that the browser cannot hold names a command that prints all rows', async () => {
  const page = await openPage(server, { hash: 'live=off' });
  await page.getByText('4 records').waitFor();
  await page.evaluate(
    `Blob.prototype.slice = () => ({ text: () => Promise.reject(new Error('NotReadableError')) })`,
  );
  await page.getByTitle('Export').click();
  await page.getByRole('button', { name: 'NDJSON', exact: true }).click();
  await page.getByText('can’t hold a file of this size. “Copy as CLI command” gives').waitFor();
});

describe('An export whose connection drops', () => {
  const exported = async (...faults: readonly Fault[]) => {
    const many = Array.from({ length: 2000 }, (_, index) => ({ kind: 'many', n: index }));
    await sendRecords(server, many, { now: Date.now() - 1000 });
    const page = await openPage(server, { hash: 'live=off&q=kind%3Dmany' });
    await page.getByText('200 of 2,000 records').waitFor();
    for (const fault of faults) server.faults.add({ path: /query$/, ...fault });
    await page.getByTitle('Export').click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'NDJSON', exact: true }).click(),
    ]);
    const lines = (await readFile((await download.path())!, 'utf8')).trim().split('\n');
    return { page, name: download.suggestedFilename(), numbers: lines.map((line) => JSON.parse(line).n) };
  };

  it('continues where it ended, with each event once', async () => {
    const { name, numbers } = await exported({ cutAfterBytes: 100_000, times: 2 });
    expect(name).toBe('sandbox.ndjson');
    expect(numbers).toEqual(Array.from({ length: 2000 }, (_, index) => String(index)));
  });

  it('says why it ended and that rows are missing if it cannot continue', async () => {
    // The browser discards what the page has not read when a connection breaks, so rows come slowly, and twice.
    const { page, name, numbers } = await exported(
      { cutAfterBytes: 100_000, dripBytesPerSecond: 100_000, times: 2 },
      { status: 400, body: 'The query is no longer valid.' },
    );
    expect(name).toBe('sandbox-incomplete.ndjson');
    const count = numbers.length.toLocaleString('en');
    await page.getByText(`has only the first ${count} rows`).waitFor();
    await page.getByText('The query is no longer valid.').waitFor();
  });
});

it('an export can be canceled while it reads', async () => {
  const page = await openPage(server, { hash: 'live=off' });
  await page.getByText('4 records').waitFor();
  await page.route('**/query', () => {});
  await page.getByTitle('Export').click();
  await page.getByRole('button', { name: 'CSV for spreadsheets' }).click();
  await page.getByText('0 rows read…').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Canceled.').waitFor();
  await page.getByRole('button', { name: 'CSV', exact: true }).waitFor();
});

it('records of several days have the day above the first one of each', async () => {
  const now = Date.now();
  await sendRecords(server, [{ msg: 'long ago' }], { now: now - 3 * 86_400_000 });
  const page = await openPage(server, { hash: 'live=off&start=7d&tz=UTC' });
  await page.locator('.row', { hasText: 'long ago' }).waitFor();
  const days = [now - 3 * 86_400_000, now].map((time) => new Date(time).toISOString().slice(0, 10));
  expect(await page.locator('.day').allInnerTexts()).toEqual(days);
});

it('the day of the first visible record stays above the list', async () => {
  const time = Date.now() - 3 * 86_400_000;
  const old = Array.from({ length: 100 }, (_, index) => ({ msg: `old ${index}` }));
  await sendRecords(server, old, { now: time });
  const page = await openPage(server, { hash: 'live=off&start=7d&tz=UTC&q=old' });
  await page.locator('.row', { hasText: 'old 99' }).waitFor();
  const day = new Date(time).toISOString().slice(0, 10);
  await expect.poll(() => page.locator('.pinned').innerText()).toBe(day);
  expect(await page.locator('.pinned .day').isVisible()).toBe(true);
});

it('the histogram has a scale, and shows small numbers beside large ones if it is logarithmic', async () => {
  await sendRecords(
    server,
    Array.from({ length: 900 }, () => ({ level: 'debug', msg: 'noise' })),
    // Half a minute after a full one, so that all are in one bar.
    { now: (Math.floor(Date.now() / 60_000) - 30) * 60_000 + 30_000 },
  );
  const page = await openPage(server, { hash: 'live=off' });
  await page.locator('.count-axis', { hasText: '900' }).waitFor();
  const bar = page.locator('.bar[data-severity="error"]');
  const before = (await bar.boundingBox())!.height;
  await page.getByTitle('Logarithmic scale').click();
  await expect.poll(async () => (await bar.boundingBox())!.height).toBeGreaterThan(4 * before);
  expect(page.url()).toContain('scale=log');
});

describe('Older records', () => {
  it('are loaded when the user scrolls to them', async () => {
    await sendRecords(
      server,
      Array.from({ length: 500 }, (_, index) => ({ level: 'info', msg: `bulk ${index}` })),
    );
    const page = await openPage(server, { hash: 'live=off&q=bulk&order=newest-first' });
    await page.getByText('200 of 500 records').waitFor();
    await page.locator('.scroller').hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 3000);
        return page.locator('.status-bar').innerText();
      })
      .toContain('500 records');
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 3000);
        return (await rowMessages(page)).at(-1);
      })
      .toBe('bulk 0');
  });
});
