import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import winston from 'winston';
import { startLocalServer } from '../../src/server/index.ts';
import { StoredLines } from '../../src/server/line-query/stored-lines.ts';
import { allRowMessages, openPage, openProfile, rowMessages, sendRecords, startServer } from './browser.ts';

/** The built package, because the sources have no worker. */
const { createPinoTransport }: typeof import('../../transports/pino/index.ts') = await import(
  built('pino.js')
);
const { LogTransport }: typeof import('../../transports/winston/index.ts') = await import(
  built('winston.js')
);

describe('Live tail', () => {
  it('replaces the start screen with the first record from pino, and adds one from winston', async () => {
    const server = await startServer();
    const page = await openPage(server);
    await page.getByText('Waiting for the first record').waitFor();
    await page.getByText(server.ingestToken).waitFor();

    const destination = createPinoTransport({ baseUrl: server.url, ingestToken: server.ingestToken });
    onTestFinished(() => void destination.end());
    pino(destination).info({ ms: 812 }, 'hello from pino');
    await page.getByText('hello from pino').waitFor();
    const transport = new LogTransport({ baseUrl: server.url, ingestToken: server.ingestToken });
    const logger = winston.createLogger({ transports: [transport] });
    onTestFinished(() => void logger.close());
    logger.error('hello from winston');
    await page.getByText('hello from winston').waitFor();

    expect(await rowMessages(page)).toEqual(['hello from pino', 'hello from winston']);
    expect(await page.locator('.chip').first().innerText()).toMatch(/ms\s*=?\s*812/);
    expect(await page.locator('.chip').first().getAttribute('data-tone')).toBe('slow');
  });

  it('sends a test record from the start screen', async () => {
    const server = await startServer();
    const page = await openPage(server);
    await page.getByRole('button', { name: 'Send a test record' }).click();
    await page.getByText('Hello from the web page').waitFor();
  });

  it('removes the token from the URL and keeps it for the next visit', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'info', msg: 'kept' }]);
    const page = await openPage(server, { hash: 'q=kept' });
    await page.locator('.row', { hasText: 'kept' }).waitFor();
    expect(page.url()).toBe(`${server.url}/#q=kept`);

    await page.goto('about:blank');
    await page.goto(`${server.url}/`);
    await page.locator('.row', { hasText: 'kept' }).waitFor();
  });

  it('shows which command opens the page if the server rejects the token', async () => {
    const server = await startServer();
    const page = await openPage(server, { token: 'wrong' });
    await page.getByText('The server rejected the token').waitFor();
    expect(await page.locator('main').innerText()).toContain('npx logclient serve --open');
  });

  it('exports what the list shows: records that arrived since, and the level and message of any logger', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 30, message: 'from winston' }]);
    const page = await openPage(server, { hash: 'view=table&column=n' });
    await page.getByText('from winston').waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, [{ severity: 'WARN', body: 'from OpenTelemetry', n: 7 }]);
    await page.getByText('from OpenTelemetry').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV', exact: true }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe('@timestamp,level,n,message');
    expect(
      lines
        .slice(1)
        .map((line) => line.replace(/^\d+,/, ''))
        .sort(),
    ).toEqual(['info,,from winston', 'warn,7,from OpenTelemetry']);
  });

  it.each([-600_000, 600_000])('clears and follows with a browser clock that is %d ms off', async (off) => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'info', msg: 'before' }]);
    const profile = await openProfile();
    await profile.addInitScript(`const now = Date.now; Date.now = () => now() + ${off};`);
    const page = await profile.newPage();
    await page.goto(`${server.url}/#token=${server.userToken}`);
    await page.getByText('before', { exact: true }).waitFor();
    const side = off < 0 ? 'ahead of' : 'behind';
    await page.getByText(`The clock of the server is 10 min ${side} that of this browser`).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('since you cleared the list').waitFor();
    await expect
      .poll(async () => {
        await sendRecords(server, [{ level: 'info', msg: 'after' }]);
        return page.getByText('after', { exact: true }).count();
      })
      .toBeGreaterThan(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('counts the records of a stream without loading them again', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 150));
    const page = await openPage(server);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    const created = await page.waitForRequest((request) => /"count\(\)"/.test(request.postData() ?? ''));
    expect(created.url()).toContain('/queryjobs');
  });

  it('pauses when the user scrolls up, counts new records, and shows them when resumed', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 150));
    const page = await openPage(server);
    await page.getByText('record 149', { exact: true }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();

    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -1500);
    await page.locator('.pill', { hasText: 'paused' }).waitFor();
    const before = await rowMessages(page);
    await sendRecords(server, numbered(150, 187));
    await page.locator('.pill', { hasText: 'paused · 37 new' }).waitFor();
    expect(await rowMessages(page)).toEqual(before);

    await page.locator('.pill').click();
    await page.getByText('record 186', { exact: true }).waitFor();
    expect((await rowMessages(page)).at(-1)).toBe('record 186');
  });

  it('follows rows of several lines on a phone screen', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 150));
    const page = await openPage(server, { context: { viewport: { width: 390, height: 800 } } });
    await page.getByText('record 149', { exact: true }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, numbered(150, 160));
    await page.getByText('record 159', { exact: true }).waitFor();
    expect(await page.locator('.pill').innerText()).toBe('following');
  });

  it('says which records are in the future, and shows them', async () => {
    const server = await startServer();
    await sendRecords(server, [{ msg: 'early' }, { msg: 'late' }], { now: Date.now() + 3_600_000 });
    await sendRecords(server, [{ msg: 'current' }]);
    const page = await openPage(server, { hash: 'start=15m&live=off' });
    await page
      .getByText('2 records from the future, by up to 60 min, are outside of the time range')
      .waitFor();
    expect(await rowMessages(page)).toEqual(['current']);
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expect.poll(() => rowMessages(page)).toEqual(['current', 'early', 'late']);
    await expect.poll(() => page.locator('.truths').innerText()).not.toContain('future');
  });

  it('shows and exports all records of a query that writes their IDs, each once', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 300));
    const page = await openPage(server, { hash: `q=${encodeURIComponent('@id := "x"')}` });
    await page.getByText('record 299', { exact: true }).waitFor();
    await sendRecords(server, numbered(300, 301));
    await page.getByText('record 300', { exact: true }).waitFor();
    await page.getByText('200 of 301 records').waitFor();
    await page.getByText('Older records can’t be listed').waitFor();
    expect(await page.locator('[aria-setsize]').first().getAttribute('aria-setsize')).toBe('200');
    await page.getByRole('button', { name: 'Export' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'NDJSON' }).click();
    const lines = (await readFile(await (await download).path(), 'utf8')).trim().split('\n');
    expect(new Set(lines.map((line) => JSON.parse(line).msg)).size).toBe(301);
    expect(lines).toHaveLength(301);
  });

  it('shows the whole number of waiting records on a phone screen', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 3));
    const page = await openPage(server, { context: { viewport: { width: 390, height: 800 } } });
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.keyboard.press('t');
    await sendRecords(server, numbered(3, 1503));
    const pill = page.locator('.pill', { hasText: 'paused · 1,500 new ↓' });
    await pill.waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('record');
    await page.getByText('– of 3').waitFor();
    const isWhole = (element: { scrollWidth: number; clientWidth: number }): boolean =>
      element.scrollWidth <= element.clientWidth;
    expect(await pill.evaluate(isWhole)).toBe(true);
    expect(await page.locator('.status-bar').evaluate(isWhole)).toBe(true);
  });

  it('keeps the scroll position while paused and 3,000 records arrive', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 150));
    const page = await openPage(server);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -1500);
    await page.locator('.pill', { hasText: 'paused' }).waitFor();
    const before = await page.locator('.scroller').evaluate((element) => element.scrollTop);

    for (let round = 0; round < 30; round++)
      await sendRecords(server, numbered(round * 100, round * 100 + 100));
    await page.locator('.pill', { hasText: 'paused · 3,000 new' }).waitFor();
    expect(await page.locator('.scroller').evaluate((element) => element.scrollTop)).toBe(before);
  });

  it('adds older records above without moving the visible ones', async () => {
    const now = Date.now();
    const server = await startServer({ now: now - 60_000 });
    await sendRecords(server, numbered(0, 700), { now: now - 60_000 });
    server.clock.resume();
    const page = await openPage(server);
    await page.getByText(/^200 of 70\d records$/).waitFor();
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -4800);
    await page.getByText(/^(?:399|400) of 70\d records$/).waitFor();
    const top = (await page.locator('.scroller').boundingBox())!.y;
    // 4,800 pixels above the last of 200 rows.
    const seen = page.locator('.row', { hasText: /^[^r]*record 5[01]\d/ });
    await expect
      .poll(() => seen.evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().top))))
      .toEqual(expect.arrayContaining([expect.toSatisfy((place: number) => Math.abs(place - top) < 28)]));

    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -3000);
        return (await rowMessages(page))[0];
      })
      .toBe('record 0');
    await page.getByText(/^700 records/).waitFor();
    await sendRecords(server, numbered(700, 702));
    await page.locator('.pill', { hasText: 'paused · 2 new' }).click();
    await page.getByText('record 701', { exact: true }).waitFor();
  });

  it('resumes if a new search does not match the open record, and stays paused if it does', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'error', msg: 'to be opened' }, ...numbered(0, 100)]);
    const page = await openPage(server);
    await page.getByText('record 99', { exact: true }).waitFor();
    await page.locator('.scroller').focus();
    await page.keyboard.press('e');
    await page.keyboard.press('Enter');
    await page.locator('.detail').waitFor();
    await page.locator('.level-button', { hasText: 'info' }).click();
    await page.locator('.detail').waitFor({ state: 'detached' });
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, numbered(100, 150));
    await page.getByText('record 149', { exact: true }).waitFor();

    await page.locator('.row', { hasText: 'record 149' }).locator('.message').click();
    await page.locator('.level-button', { hasText: 'info' }).click();
    await page.getByText('151 records').waitFor();
    await page.locator('.pill', { hasText: 'paused' }).waitFor();
    await page.locator('.detail').waitFor();
  });

  it('pauses while the user selects text', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 5));
    const page = await openPage(server);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await page.getByText('record 3', { exact: true }).dblclick();
    await page.locator('.pill', { hasText: 'paused' }).waitFor();
    await sendRecords(server, numbered(5, 6));
    await page.locator('.pill', { hasText: 'paused · 1 new' }).waitFor();
  });

  it('hides records with Clear and shows them again with "Show hidden"', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'info', msg: 'before' }]);
    const page = await openPage(server);
    await page.getByText('before', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No records since you cleared the list').waitFor();
    await sendRecords(server, [{ level: 'info', msg: 'after' }]);
    await page.getByText('after', { exact: true }).waitFor();
    expect(await rowMessages(page)).toEqual(['after']);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('No records since you cleared the list').waitFor();

    await page.getByRole('button', { name: 'Show hidden' }).click();
    await page.getByText('before', { exact: true }).waitFor();
  });

  it('retries every request that fails with status 503', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'info', msg: 'apple 1' }]);
    const page = await openPage(server, { hash: 'q=pear' });
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    const failed = new Set<string>();
    await page.route('**/api/v1/repositories/**', async (route) => {
      const request = route.request();
      const kind = `${request.method()} ${request.url().includes('queryjobs') ? 'job' : 'stream'}`;
      if (failed.has(kind)) return route.continue();
      failed.add(kind);
      return route.fulfill({ status: 503, body: 'busy' });
    });
    await page.evaluate("location.hash = 'q=apple'");
    await page.getByText('apple 1', { exact: true }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, [{ level: 'info', msg: 'apple 2' }]);
    await page.getByText('apple 2', { exact: true }).waitFor();
    expect(await rowMessages(page)).toEqual(['apple 1', 'apple 2']);
    expect([...failed].sort()).toEqual(['DELETE job', 'GET job', 'POST job', 'POST stream']);
  });

  it('keeps the bars and counts of levels while the server is gone, and shows no count of another search', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'page-gone-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const first = await startLocalServer({ dataDir });
    await sendRecords(first, [...numbered(0, 3), { level: 'error', msg: 'failed' }]);
    const page = await openPage(first);
    await page.locator('.level-button', { hasText: 'error 1' }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    // Listens before the server closes: the next failure can be half a minute later.
    const chartFailed = page.waitForEvent('requestfailed', (request) =>
      /timeChart/.test(request.postData() ?? ''),
    );
    await first.close();
    await page.locator('.pill', { hasText: 'reconnecting' }).waitFor();
    await chartFailed;
    const buttons = page.locator('.level-button');
    expect(await buttons.allInnerTexts()).toEqual(['error 1', 'info 3']);
    expect(await page.locator('.bar').count()).toBeGreaterThan(0);

    await page.locator('.level-button', { hasText: 'error' }).click();
    await page.locator('.levels[data-stale]').waitFor();
    await page.getByText('Trying again').waitFor();
    expect(await buttons.allInnerTexts()).toEqual(['error 1', 'info 3']);
    const second = await startServer({ dataDir, port: Number(new URL(first.url).port) });
    await page.locator('.levels:not([data-stale])').waitFor();
    await sendRecords(second, [{ level: 'error', msg: 'failed again' }]);
    await page.locator('.level-button', { hasText: 'error 2' }).waitFor();
  });

  it('resumes after a server restart and shows each record once', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'page-restart-'));
    onTestFinished(() => rm(dataDir, { recursive: true }));
    const first = await startLocalServer({ dataDir });
    await sendRecords(first, numbered(0, 3));
    const page = await openPage(first);
    await page.getByText('record 2', { exact: true }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(first, numbered(3, 5));
    await page.getByText('record 4', { exact: true }).waitFor();
    await first.close();
    await page.locator('.pill', { hasText: 'reconnecting' }).waitFor();

    const second = await startServer({ dataDir, port: Number(new URL(first.url).port) });
    await sendRecords(second, numbered(5, 8));
    await page.getByText('record 7', { exact: true }).waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(second, numbered(8, 9));
    await page.getByText('record 8', { exact: true }).waitFor();
    expect(await rowMessages(page)).toEqual(numbered(0, 9).map(({ msg }) => msg));
  });

  it('continues after a restart in a tab with the old token once another tab has the new one', async () => {
    const first = await startLocalServer();
    const page = await openPage(first);
    await page.getByText('Waiting for the first record').waitFor();
    await first.close();
    await page.locator('.start .pill', { hasText: 'reconnecting' }).waitFor();
    const second = await startServer({ port: Number(new URL(first.url).port) });
    await page.getByText('The server rejected the token').waitFor();

    const other = await page.context().newPage();
    await other.goto(`${second.url}/#token=${second.userToken}`);
    await page.getByText('Waiting for the first record').waitFor();
    await sendRecords(second, numbered(0, 1));
    await page.getByText('record 0', { exact: true }).waitFor();
  });

  it('works in two tabs with different queries', async () => {
    const server = await startServer();
    await sendRecords(server, [{ level: 'info', msg: 'shared' }]);
    const page = await openPage(server);
    const other = await page.context().newPage();
    await other.goto(`${server.url}/#q=${encodeURIComponent('level=error')}`);
    await page.getByText('shared', { exact: true }).waitFor();
    await sendRecords(server, [{ level: 'error', msg: 'only errors here' }]);
    await other.getByText('only errors here').waitFor();
    await page.getByText('only errors here').waitFor();
    expect(await rowMessages(other)).toEqual(['only errors here']);
  });
});

describe('The number of records of a live search', () => {
  it('is exact although the stream repeats recent records that are not in the list', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 300));
    const page = await openPage(server);
    await page.getByText('200 of 300 records').waitFor();
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, numbered(300, 301));
    await page.getByText('record 300', { exact: true }).waitFor();
    await page.getByText('201 of 301 records').waitFor();
  });

  it('includes a late record, which is loaded with those between it and the list', async () => {
    const server = await startServer();
    await sendRecords(server, numbered(0, 300));
    const page = await openPage(server);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    await sendRecords(server, [{ level: 'info', msg: 'late' }], { now: Date.now() - 60_000 });
    await page.getByText('200 of 301 records').waitFor();
    await page.locator('.scroller').hover();
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, -20_000);
        return (await rowMessages(page)).slice(0, 3);
      })
      .toEqual(['late', 'record 0', 'record 1']);
    await page.getByText(/^301 records/).waitFor();
  });

  it('has a warning as soon as old records no longer fit in memory', async () => {
    const server = await startServer({ maxEvents: 100 });
    await sendRecords(server, numbered(0, 50));
    const page = await openPage(server);
    await page.locator('.pill', { hasText: 'following' }).waitFor();
    expect(await page.getByText('did not fit in memory').count()).toBe(0);
    await sendRecords(server, numbered(50, 150));
    await page.getByText('did not fit in memory').waitFor();
  });
});

describe('A page that is opened while files are read', () => {
  const files = async () => {
    const server = await startServer();
    const now = Date.now();
    const send = (from: number, to: number) =>
      sendRecords(server, numbered(from, to), { now: now - 10_000 + to });
    await send(5000, 6000);
    const page = await openPage(server, { hash: 'start=all&stream=off&file=app.log' });
    await page.getByText('200 of 1,000 records').waitFor();
    return { server, page, send };
  };

  it('shows all records in order, of which the older ones are stored later', async () => {
    const { server, page, send } = await files();
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -20_000);
    await page.locator('.pill', { hasText: 'paused · 0 new' }).waitFor();
    await send(3000, 5000);
    await send(4999 - 2500, 3000);
    await page.getByText(/^[\d,]+ of 3,501 records/).waitFor();
    await page.locator('.pill', { hasText: 'paused · 0 new' }).waitFor();
    const oldest = async (): Promise<number> => Number((await rowMessages(page))[0]?.slice('record '.length));
    await expect.poll(() => page.mouse.wheel(0, -90_000).then(oldest)).toBeLessThanOrEqual(4400);
    const messages = await allRowMessages(page);
    expect(messages.at(-1)).toBe('record 5999');
    // Older records may be loaded above meanwhile.
    const numbers = messages.map((message) => Number(message.slice('record '.length))).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: numbers.length }, (_, n) => numbers[0]! + n));
    expect(server.inspect.store().liveStreams).toBe(0);
  });

  it('says how much is read, and that nothing is found so far, until all is read', async () => {
    const server = await startServer();
    const line = (n: number, level = 30) =>
      Buffer.from(`${JSON.stringify({ level, time: Date.UTC(2024, 1, 3) + n, msg: `line ${n}` })}\n`);
    StoredLines.into(server, { readShare: 0.143 }).add(line(2));
    const page = await openPage(server, {
      hash: 'start=all&stream=off&file=%2Fsrv%2Fbig.log&q=level%3Derror',
    });
    await page.getByText('No matching records so far').waitFor();
    const strip = page.getByRole('region', { name: 'What the result contains' });
    expect(await strip.innerText()).toContain('14% read of big.log, the newest lines first.');
    expect(await strip.getByRole('progressbar', { name: 'Read so far' }).getAttribute('value')).toBe('0.143');
    StoredLines.into(server, {}).add(line(1, 50));
    await page.getByText('line 1', { exact: true }).waitFor();
    await expect.poll(() => strip.innerText()).not.toContain('read');
  });

  it('counts the records of each level again once all is read', async () => {
    const server = await startServer();
    StoredLines.into(server, { readShare: 0.5 }).add(Buffer.from('{"level":30,"time":2,"msg":"late"}\n'));
    const page = await openPage(server, { hash: 'start=all&stream=off&file=app.log' });
    await page.locator('.level-button', { hasText: 'info 1' }).waitFor();
    const older = ['info', 'error', 'error'].map((level) => `{"level":"${level}","time":1,"msg":"early"}\n`);
    StoredLines.into(server, {}).add(Buffer.from(older.join('')));
    const counts = (): Promise<string[]> => page.locator('.levels:not([data-stale]) button').allInnerTexts();
    await expect.poll(counts).toEqual(['error 2', 'info 2']);
    expect(await page.getByText('50% read').count()).toBe(0);
  });

  it('marks the time that is not read yet, and times of arrival', async () => {
    const server = await startServer();
    StoredLines.into(server, { readShare: 0.5 }).add(Buffer.from('a line without a time\n'));
    const page = await openPage(server, { hash: 'start=1h&live=off&file=app.log' });
    const time = page.locator('.row[data-severity] time[data-unknown]');
    await time.hover();
    await expect.poll(() => time.getAttribute('title')).toMatch(/^Arrived at \d/);
    const [unread, bars] = await Promise.all(
      ['.histogram-unread', '.histogram-bars'].map((name) => page.locator(name).boundingBox()),
    );
    expect(unread!.width / bars!.width).toBeGreaterThan(0.9);
    expect(unread!.width / bars!.width).toBeLessThan(1);
    StoredLines.into(server, {}).add(Buffer.from('another one\n'));
    await page.getByRole('button', { name: 'Search again' }).click();
    await page.getByText('another one', { exact: true }).waitFor();
    await page.locator('.histogram-unread').waitFor({ state: 'detached' });
  });

  it('counts the records of an overlapping file as new while it is paused', async () => {
    const { server, page } = await files();
    await page.locator('.scroller').hover();
    await page.mouse.wheel(0, -1000);
    await page.locator('.pill', { hasText: 'paused · 0 new' }).waitFor();
    const times = server.inspect.events().map((event) => Number(event['@timestamp']));
    for (const place of [-3, -7]) {
      await sendRecords(server, [{ level: 'info', msg: `between ${place}` }], { now: times.at(place)! });
    }
    await page.locator('.pill', { hasText: 'paused · 2 new' }).click();
    await page.getByText('between -7', { exact: true }).waitFor();
    await page.getByText('between -3', { exact: true }).waitFor();
  });

  it('shows the newest records of a rare message as they are found', async () => {
    const { server, page, send } = await files();
    await page.evaluate("location.hash = 'start=all&stream=off&q=record+*999'");
    await page.getByText('record 5999', { exact: true }).waitFor();
    await page.getByText('1 record', { exact: true }).waitFor();
    await send(4000, 5000);
    await page.getByText('record 4999', { exact: true }).waitFor();
    await page.getByText(/^2 records/).waitFor();
    await server.close();
    await page.locator('.pill', { hasText: 'reconnecting' }).waitFor();
    await page.getByRole('alert').getByText('Trying again').waitFor();
  });
});

function built(file: string): string {
  return new URL(`../../dist/${file}`, import.meta.url).href;
}

function numbered(from: number, to: number): { level: string; msg: string }[] {
  return Array.from({ length: to - from }, (_, index) => ({ level: 'info', msg: `record ${from + index}` }));
}
