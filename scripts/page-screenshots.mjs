// Takes screenshots of the local server's web page for the README and the docs.
// Usage: npm run build && node scripts/page-screenshots.mjs [folder] [state…]
// `docs/images page` takes the screenshot for the docs, as `npm run docs:screenshots` does. It is packed, so reduce it to
// 64 colors before you commit it: `pngquant --ext .png --force 64 docs/images/page.png`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startLocalServer } from '../dist/local-server.js';

const SIZES = { 1280: [1280, 800], 1920: [1920, 1080], phone: [390, 844] };
const DOCS_SIZE = { page: [1120, 620] };
const [folder = 'screenshots', ...wanted] = process.argv.slice(2);

const SERVICES = ['checkout', 'catalog', 'payments', 'mailer'];
const STACK = `Error: card declined
    at charge (file:///home/dev/shop/src/payments/charge.ts:41:11)
    at async checkout (file:///home/dev/shop/src/checkout.ts:88:5)
    at Layer.handle (/home/dev/shop/node_modules/express/lib/router/layer.js:95:5)
    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)
caused by: Error: connect ECONNREFUSED 10.0.3.7:8443
    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)
    at bank (file:///home/dev/shop/src/payments/bank.ts:77:9)`;

/** Records of a small shop over the last hour, the same in every run. */
function shopRecords(count, now) {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed / 2147483648;
  };
  return Array.from({ length: count }, (_, index) => {
    const service = SERVICES[Math.floor(random() * random() * SERVICES.length)];
    const timestamp = Math.round(now - ((count - index) * 3_590_000) / count - random() * 500);
    const [ms, reqId, order] = [
      Math.round(10 + 900 * random() ** 4),
      `req-${(index >> 2).toString(36)}`,
      1000 + (index % 777),
    ];
    const burst = Math.abs(index / count - 0.7) < 0.03;
    const luck = random() * (burst ? 0.15 : 1);
    if (luck < 0.02) {
      const err = { type: 'Error', message: 'card declined', stack: STACK };
      return { service, timestamp, attributes: { level: 'error', reqId, order, err, msg: 'payment failed' } };
    }
    if (luck < 0.08)
      return {
        service,
        timestamp,
        attributes: { level: 'warn', reqId, ms: ms + 600, msg: 'slow response from the bank' },
      };
    if (luck < 0.3)
      return {
        service,
        timestamp,
        attributes: { level: 'debug', reqId, key: `cart:${order}`, msg: 'cache miss' },
      };
    const res = { statusCode: luck < 0.32 ? 503 : 200 };
    const req = {
      method: 'GET',
      url: `/products/${order}`,
      headers: { host: 'shop.example', accept: '*/*' },
    };
    return {
      service,
      timestamp,
      attributes: { level: 'info', reqId, ms, req, res, msg: 'request completed' },
    };
  });
}

async function send(server, records) {
  const groups = SERVICES.map((service) => ({
    tags: { service },
    events: records
      .filter((record) => record.service === service)
      .map(({ timestamp, attributes }) => ({ timestamp, attributes })),
  }));
  await fetch(`${server.url}/api/v1/ingest/humio-structured`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(groups),
  });
}

const openError = async (page) => {
  await page.locator('.scroller').focus();
  await page.keyboard.press('e');
  await page.locator('.row[data-selected]').waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.detail').waitFor();
  // Without the ring around the list.
  await page.evaluate('document.activeElement.blur()');
};

/** The page states to capture: the URL fragment and the actions to perform. */
const STATES = {
  start: { isEmpty: true },
  tail: { hash: '' },
  detail: { hash: '', act: openError },
  page: { hash: '', act: openError },
  search: { hash: 'live=off&start=4h&q=level%3Derror+payment&order=newest-first' },
  table: {
    hash: 'live=off&view=table&column=ms&column=res.statusCode&column=req.url&filter=res.statusCode%3D%2A',
  },
  similar: { hash: 'live=off&view=patterns' },
  chart: { hash: 'live=off&q=timeChart%28%23service%29&chart=area' },
  groupby: {
    hash: 'live=off&q=groupBy%28%23service%2C+function%3D%5Bcount%28%29%2C+avg%28ms%29%2C+max%28ms%29%5D%29',
  },
  number: { hash: 'live=off&q=level%3Derror+%7C+count%28%29' },
  error: { awaited: '.notice', hash: 'live=off&q=level%3Derror+%7C+gruopBy%28x%29' },
  denied: { hash: '', token: 'wrong' },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
  ],
});
const [full, empty] = await Promise.all([startLocalServer(), startLocalServer()]);
await send(full, shopRecords(4000, Date.now()));
await mkdir(folder, { recursive: true });
for (const [name, { hash = '', act, isEmpty = false, token, awaited = '.histogram-bars' }] of Object.entries(
  STATES,
)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const server = isEmpty ? empty : full;
  for (const [size, [width, height]] of Object.entries(name === 'page' ? DOCS_SIZE : SIZES)) {
    for (const colorScheme of ['light', 'dark']) {
      // One size is enough for the dark theme: the others differ only in layout.
      if (colorScheme === 'dark' && size !== '1280') continue;
      const page = await browser.newPage({ viewport: { width, height }, colorScheme });
      page.on('pageerror', (error) => process.stderr.write(`${name}: ${error.stack}\n`));
      await page.goto(`${server.url}/#token=${token ?? server.userToken}&${hash}`);
      await page.locator(isEmpty || token !== undefined ? '.start' : awaited).waitFor();
      if (!isEmpty && token === undefined) await page.getByText('searching').waitFor({ state: 'detached' });
      if (width > 900 && ['tail', 'search', 'detail', 'page'].includes(name))
        await page.locator('.field').first().waitFor();
      if (awaited === '.histogram-bars') await page.locator('.level-button').first().waitFor();
      await act?.(page);
      await page.evaluate('new Promise(requestAnimationFrame)');
      await page.screenshot({
        path: join(folder, size === name ? `${name}.png` : `${name}-${size}-${colorScheme}.png`),
      });
      await page.close();
    }
  }
}
await browser.close();
await Promise.all([full.close(), empty.close()]);
