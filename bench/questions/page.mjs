// How fast is the local server's web page in Debian's Chromium?
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { withPrograms } from '../program.mjs';
import { median } from '../rounds.mjs';
import { markdown, whole } from '../table.mjs';

const MILLION = 1_000_000;
const GROUP_BY = 'groupBy(service, function=[count(), avg(ms)])';
const SCROLLED_ROWS = 200_000;
const SCROLLS = 100;
const SCROLL_PX = 20_000;
/** One hour at 100 records per second, split into rounds; memory is measured after each. */
const TAIL = { rounds: 12, recordsPerRound: 30_000, recordsPerRequest: 1_000 };

const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--js-flags=--expose-gc',
  ],
};

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));

/** Collects tasks longer than 50 ms, the shortest that browsers report. */
const OBSERVE_TASKS = `window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
  .observe({ type: 'longtask' });`;

export const page = {
  name: 'page',
  title: 'the web page of the local server',
  run: (settings) =>
    withPrograms([['server', ['--expose-gc', ...settings.execArgv]]], async (server) => {
      const events = settings.records ?? settings.amount({ full: MILLION, short: MILLION, tiny: 2_000 });
      const address = await server.ask('open', {
        events: 2 * events + SCROLLED_ROWS,
        maxQueryRows: SCROLLED_ROWS,
      });
      await server.ask('fill', { events, endsAt: Date.now() });
      const browser = await chromium.launch(LAUNCH);
      try {
        return await measure(browser, address, events, settings);
      } finally {
        await browser.close();
      }
    }),
};

async function measure(browser, address, events, settings) {
  const paints = await inRounds(settings.rounds, () => firstPaint(browser, address));
  const groups = await inRounds(settings.rounds, () => groupBy(browser, address));
  const rows = Math.min(SCROLLED_ROWS, events);
  const scrolling = await longestTask(browser, address, rows);
  const memory = await memoryOfTail(browser, address, settings.amount({ full: 1, short: 0.2, tiny: 0.01 }));
  const [plays, slowPlays] = await withPlayground(async (url) => [
    await inRounds(settings.rounds, () => firstResult(browser, url, 1)),
    await inRounds(settings.rounds, () => firstResult(browser, url, 4)),
  ]);
  return markdown(
    ['measured', 'median', 'goal'],
    [
      ['first contentful paint', `${whole(median(paints))} ms`, '300 ms'],
      [`\`${GROUP_BY}\` of ${whole(events)} events, drawn`, `${whole(median(groups))} ms`, '1,000 ms'],
      [`longest task while ${whole(rows)} rows scroll`, scrolling, '100 ms'],
      ['memory during an hour of tail', memory, 'flat'],
      ['playground: first result after a cold load', `${whole(median(plays))} ms`, '2,000 ms'],
      ['the same on a processor four times slower', `${whole(median(slowPlays))} ms`, '5,000 ms'],
    ],
  );
}

async function inRounds(rounds, run) {
  const results = [];
  for (let round = 0; round < rounds; round++) results.push(await run());
  return results;
}

async function withPage(browser, run) {
  const profile = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    return await run(await profile.newPage());
  } finally {
    await profile.close();
  }
}

function addressOf({ url, userToken }, state) {
  return `${url}/#token=${userToken}&${new URLSearchParams(state)}`;
}

async function withPlayground(run) {
  const server = spawn(process.execPath, [CLI, 'play', '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [text] = await once(server.stdout.setEncoding('utf8'), 'data');
    return await run(/http:\S+/.exec(text)[0]);
  } finally {
    server.kill();
  }
}

/** Each profile has its own cache. */
function firstResult(browser, url, slowdown) {
  return withPage(browser, async (tab) => {
    const session = await tab.context().newCDPSession(tab);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    const start = performance.now();
    await tab.goto(url);
    await tab.locator('.row').first().waitFor();
    return performance.now() - start;
  });
}

function firstPaint(browser, address) {
  return withPage(browser, async (tab) => {
    await tab.goto(addressOf(address, {}));
    await tab.locator('.row').first().waitFor();
    return tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime");
  });
}

/** Measures the time from the request to the drawn bars, in an open page. */
function groupBy(browser, address) {
  return withPage(browser, async (tab) => {
    await tab.goto(addressOf(address, { live: 'off', start: 'all', q: 'nothing-has-this-word' }));
    await tab.getByText('No matching records').waitFor();
    await tab.evaluate(
      `window.drawn = new Promise((resolve) => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('.bars tbody tr') === null) return;
        observer.disconnect();
        requestAnimationFrame(() => resolve(performance.now() - window.askedAt));
      });
      observer.observe(document.body, { childList: true, subtree: true });
    })`
        .replace('window.drawn =', 'void (window.drawn =')
        .concat(')'),
    );
    const hash = new URLSearchParams({ live: 'off', start: 'all', q: GROUP_BY });
    await tab.evaluate(`window.askedAt = performance.now(); location.hash = ${JSON.stringify(String(hash))}`);
    return tab.evaluate('window.drawn');
  });
}

function longestTask(browser, address, rows) {
  return withPage(browser, async (tab) => {
    await tab.goto(addressOf(address, { live: 'off', start: 'all', q: `tail(${rows})` }));
    await tab.getByText(`${whole(rows)} records`).waitFor();
    // Waits for the fields panel, which is computed when the browser is idle.
    await tab.evaluate('new Promise(requestIdleCallback)');
    await tab.evaluate(OBSERVE_TASKS);
    await tab.locator('.scroller').hover();
    for (let scroll = 0; scroll < SCROLLS; scroll++) {
      await tab.mouse.wheel(0, scroll % 10 === 9 ? 9 * SCROLL_PX : -SCROLL_PX);
      await tab.evaluate('new Promise(requestAnimationFrame)');
    }
    const longest = await tab.evaluate('Math.max(0, ...window.longTasks)');
    return longest === 0 ? 'under 50 ms' : `${whole(longest)} ms`;
  });
}

/** Measures the heap of the page, without garbage, after each round of a tail. */
function memoryOfTail(browser, { url, userToken, ingestToken }, share) {
  return withPage(browser, async (tab) => {
    await tab.goto(addressOf({ url, userToken }, { q: '#bench=tail' }));
    await tab.locator('.status-bar').waitFor();
    const megabytes = [];
    for (let round = 0; round < TAIL.rounds; round++) {
      await sendRecords({ url, ingestToken }, Math.ceil(TAIL.recordsPerRound * share), round);
      await tab.getByText(`last of round ${round}`, { exact: true }).waitFor();
      await tab.evaluate('gc()');
      megabytes.push((await tab.evaluate('performance.memory.usedJSHeapSize')) / 2 ** 20);
    }
    // The list fills up in the first half; after that, memory should stay flat.
    return `${whole(megabytes[TAIL.rounds / 2 - 1])} MB, then ${whole(median(megabytes.slice(-3)))} MB`;
  });
}

async function sendRecords({ url, ingestToken }, count, round) {
  for (let sent = 0; sent < count; sent += TAIL.recordsPerRequest) {
    const size = Math.min(TAIL.recordsPerRequest, count - sent);
    const events = Array.from({ length: size }, (_, index) => {
      const isLast = sent + index === count - 1;
      const msg = isLast ? `last of round ${round}` : `record ${sent + index}`;
      return { timestamp: Date.now(), attributes: { level: 'info', ms: index, path: '/products', msg } };
    });
    const response = await fetch(`${url}/api/v1/ingest/humio-structured`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ingestToken}`, 'content-type': 'application/json' },
      body: JSON.stringify([{ tags: { bench: 'tail' }, events }]),
    });
    if (response.status !== 200) throw new Error(`The local server responded ${response.status}.`);
  }
}
