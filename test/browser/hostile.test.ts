import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPage, openRecords, rowMessages, sendRecords, startServer } from './browser.ts';

const HOSTILE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate('window.hacked')).toBeUndefined();
  const foreign = 'a[href^="javascript:" i], main img, main script, main iframe, main style, main object';
  expect(await page.locator(foreign).count()).toBe(0);
}

describe('Hostile markup', () => {
  it('in records is shown as text in the list, fields, details, charts and table', async () => {
    const server = await startServer();
    const record = {
      level: HOSTILE,
      msg: HOSTILE,
      [HOSTILE]: HOSTILE,
      err: { stack: `${HOSTILE}\n at (javascript:alert:1:1)\n at x (/a"onclick="hacked=1.js:1:1)` },
      nested: [{ [HOSTILE]: { deep: HOSTILE } }],
    };
    await sendRecords(server, [record, { ...record, level: 'javascript:window.hacked=1' }], {
      service: HOSTILE,
    });
    const field = encodeURIComponent(`"${HOSTILE.replaceAll('"', '\\"')}"`);
    const page = await openPage(server, {
      hash: `live=off&order=newest-first&by=${encodeURIComponent(HOSTILE)}`,
    });
    await page.locator('.row').nth(1).waitFor();
    expect((await rowMessages(page))[0]).toContain('<img src=x onerror=');
    await page.locator('.field', { hasText: '<img' }).first().click();
    await openRecords(page, 2);
    await expectNothingRan(page);

    for (const [query, shown] of [
      [`groupBy(${field})`, '.bars'],
      [`timeChart(${field})`, '.plot canvas'],
      [`table([${field}])`, ':is(th, [role=columnheader])'],
    ] as const) {
      await page.evaluate(`location.hash = ${JSON.stringify(`live=off&q=${query}`)}`);
      await page.locator(`.results:not([data-stale]) ${shown}`).first().waitFor();
      await page.locator('main').getByText('<img src=x').first().waitFor({ state: 'attached' });
      await expectNothingRan(page);
    }
  });

  it('in a query error or the name of a saved query is shown as text', async () => {
    const server = await startServer();
    await sendRecords(server, [{ msg: 'hello' }]);
    const page = await openPage(server, { hash: `live=off&q=${encodeURIComponent(`x(${HOSTILE}`)}` });
    await page.getByRole('alert').waitFor();
    await page.getByTitle('Saved and earlier queries').click();
    await page.getByLabel('Name for this query').fill(HOSTILE);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.locator('.query-choice', { hasText: '<img' }).first().waitFor();
    await expectNothingRan(page);
  });
});

it('bidi, invisible and control characters are shown in a visible form', async () => {
  const server = await startServer();
  await sendRecords(server, [
    { msg: 'a\u202Egnp.exe \u001b[31mred\u001b[0m \u0000', service: '\u2066evil' },
    { msg: 'one line\r\n2026-01-01 12:00:00 error forged' },
    { msg: 'pass\u00adword \u{e0041}\ufff9 \u200b\u3164.' },
  ]);
  const page = await openPage(server, { hash: 'live=off' });
  await page.locator('.row').nth(2).waitFor();
  expect(await rowMessages(page)).toEqual([
    'a⟨U+202E⟩gnp.exe red ␀',
    'one line ↵…',
    'pass⟨U+00AD⟩word ⟨U+E0041⟩⟨U+FFF9⟩ ⟨U+200B⟩⟨U+3164⟩.',
  ]);
});

it('combining marks stacked on a character do not overflow the row', async () => {
  const server = await startServer();
  await sendRecords(server, [{ msg: 'plain' }, { msg: `z${'\u0336\u0301'.repeat(150)}`, level: 'info' }]);
  const page = await openPage(server, { hash: 'live=off' });
  await page.locator('.row').nth(1).waitFor();
  const message = page.locator('.row .message').nth(1);
  const overflow = `getComputedStyle(document.querySelectorAll('.row .message')[1]).overflowY`;
  expect(await page.evaluate(overflow)).toMatch(/hidden|clip/);
  const [plain, marked] = [await page.locator('.row').nth(0).boundingBox(), await message.boundingBox()];
  expect(marked!.height).toBeLessThanOrEqual(plain!.height);
});

it('The page shows large records only in part', async () => {
  const server = await startServer();
  const fields = (count: number) => Array.from({ length: count }, (_, index) => [`f${index}`, `v${index}`]);
  await sendRecords(server, [
    { msg: 'm'.repeat(900_000) },
    { msg: 'many fields', ...Object.fromEntries(fields(10_000)) },
    { msg: 'a long name', ['n'.repeat(200_000)]: 1 },
    { msg: 'many frames', err: { stack: `Error: x\n${'    at f (/srv/a.js:1:1)\n'.repeat(30_000)}` } },
    { msg: 'a long frame', err: { stack: `Error: x\n    at ${'/'.repeat(800_000)}` } },
    { msg: 'many long frames', err: { stack: `Error: x\n${`    at ${'/'.repeat(3_000)}\n`.repeat(250)}` } },
    { msg: 'a long list', items: Array.from({ length: 20_000 }, (_, index) => index) },
    { msg: 'deep', a: JSON.parse(`${'[{"a":'.repeat(90)}1${'}]'.repeat(90)}`) },
    { msg: 'no spaces', reqId: 'r'.repeat(500_000) },
  ]);
  const page = await openPage(server, { hash: 'live=off&order=newest-first' });
  const { elements, characters } = await openRecords(page, 9);
  expect(elements).toBeLessThan(10_000);
  expect(characters).toBeLessThan(200_000);
  for (const message of await rowMessages(page)) expect(message.length).toBeLessThan(600);
});

describe('Another website', () => {
  it('gets neither the page nor data through DNS rebinding', async () => {
    const server = await startServer();
    await sendRecords(server, [{ msg: 'secret' }]);
    const page = await openPage({ ...server, url: server.url.replace('127.0.0.1', 'evil.example') });
    const text = await page.evaluate<string>('document.body.innerText');
    expect(text).toContain('The host "evil.example:');
    expect(await page.evaluate<number>('fetch("/api/v1/status").then(({ status }) => status)')).toBe(403);
  });

  it('cannot store records, even with an ingest token', async () => {
    const server = await startServer();
    const attacker = createServer((_, response) => {
      response.setHeader('content-type', 'text/html').end('<h1>Win a prize</h1>');
    });
    onTestFinished(() => void attacker.close());
    await new Promise<void>((resolve) => attacker.listen(0, '127.0.0.1', resolve));
    const { port } = attacker.address() as AddressInfo;
    const page = await openPage({ url: `http://evil.example:${port}`, userToken: '' });
    const [user, password] = ['x', server.ingestToken].map(encodeURIComponent);
    const target = `${server.url}/services/collector/raw`;
    await page.evaluate(`(async () => {
      await fetch(${JSON.stringify(target)}, { method: 'POST', mode: 'no-cors', body: 'forged' });
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', enctype: 'text/plain', target: '_blank',
        action: ${JSON.stringify(target.replace('//', `//${user}:${password}@`))} });
      document.body.append(form);
      form.submit();
    })()`);
    await expect.poll(() => server.inspect.requests({ path: '/services' }).length).toBe(2);
    expect(server.inspect.requests({ path: '/services' }).map(({ status }) => status)).toEqual([403, 403]);
    expect(server.inspect.events()).toEqual([]);
  });
});
