import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type LocalServer, type LocalServerOptions, startLocalServer } from '../../src/server/index.ts';

/** Debian's Chromium, without background requests. */
const LAUNCH = {
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--disable-quic',
    // As after a DNS rebinding.
    '--host-resolver-rules=MAP *.example 127.0.0.1',
  ],
};

/** Vitest's own hook, because it has no public one for the end of a worker. */
const worker = Reflect.get(globalThis, '__vitest_worker__') as {
  onCleanup(close: () => Promise<void>): void;
};

const VIEWPORT = { width: 1280, height: 800 };

/** Events that tests listen to. */
const EVENTS = ['console', 'filechooser', 'pageerror', 'request', 'response'] as const;

/** The browser of all files, which share a worker. */
let browser: Promise<Browser> | undefined;

/** The tab that most tests use in turn: a new one costs as much as loading the page. */
let tab: Promise<Page> | undefined;
let isTabTaken = false;

export interface OpenOptions {
  /** The fragment after the token. */
  readonly hash?: string;
  readonly token?: string;
  /** A fresh profile with these options. Needed for everything that no later test can undo. */
  readonly context?: BrowserContextOptions;
}

/** Starts a local server for this test, whose origin no other test has. */
export async function startServer(options: LocalServerOptions = {}): Promise<LocalServer> {
  const server = await startLocalServer(options);
  // The browser keeps idle connections, which the server drops a second later.
  onTestFinished(() => void server.close());
  return server;
}

/** Opens the page without storage, as the link of `serve` does. */
export function openPage(
  server: Pick<LocalServer, 'url' | 'userToken'>,
  { hash = '', token = server.userToken, ...options }: OpenOptions = {},
): Promise<Page> {
  return openLink(`${server.url}/#token=${token}&${hash}`, options);
}

/** A fresh profile, whose tabs share their storage. */
export async function openProfile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const profile = await newProfile(options);
  onTestFinished(() => profile.close());
  return profile;
}

interface LinkOptions {
  readonly context?: BrowserContextOptions;
  /** Messages in the console that are no failure. */
  readonly expected?: RegExp;
  /** Uncaught errors that are no failure. */
  readonly expectedPageError?: RegExp;
}

/** Opens an address of this test. The test fails if the page logs an error that it doesn't expect. */
export async function openLink(
  url: string,
  { context, expected = /^Failed to load resource/, expectedPageError = /^$/ }: LinkOptions = {},
): Promise<Page> {
  const errors: string[] = [];
  onTestFinished(() => expect(errors, 'errors in the console').toEqual([]));
  const page =
    context === undefined && !isTabTaken ? await takeTab() : await (await openProfile(context)).newPage();
  page.on('pageerror', (error) => {
    if (!expectedPageError.test(error.message)) errors.push(error.stack ?? error.message);
  });
  page.on('console', (message) => {
    // What the server rejects is shown on the page.
    if (message.type() === 'error' && !expected.test(message.text())) errors.push(message.text());
  });
  await page.goto(url);
  return page;
}

async function newProfile(options: BrowserContextOptions): Promise<BrowserContext> {
  if (browser === undefined) {
    browser = chromium.launch(LAUNCH);
    worker.onCleanup(async () => (await browser)?.close());
  }
  return (await browser).newContext({ viewport: VIEWPORT, ...options });
}

/** The shared tab until the end of the test. Its storage is that of the origin, so it is empty. */
async function takeTab(): Promise<Page> {
  isTabTaken = true;
  tab ??= newProfile({ permissions: ['clipboard-read', 'clipboard-write'] }).then((profile) =>
    profile.newPage(),
  );
  const page = await tab;
  onTestFinished(async ({ task }) => {
    isTabTaken = false;
    if (task.result?.state === 'pass' && !page.isClosed()) return reset(page);
    tab = undefined;
    await page.context().close();
  });
  return page;
}

async function reset(page: Page): Promise<void> {
  const profile = page.context();
  await Promise.all([page.unrouteAll({ behavior: 'ignoreErrors' }), profile.unrouteAll()]);
  await Promise.all(profile.pages().map((other) => other !== page && other.close()));
  // Files share an origin.
  if (page.url().startsWith('file:')) await page.evaluate('localStorage.clear()');
  await page.goto('about:blank');
  await profile.setOffline(false);
  await page.emulateMedia({ colorScheme: null });
  for (const event of EVENTS) page.removeAllListeners(event);
}

/** Sends records to the default repository of a server. */
export async function sendRecords(
  server: Pick<LocalServer, 'url' | 'ingestToken'>,
  records: readonly object[],
  { service = 'shop', now = Date.now() } = {},
): Promise<void> {
  const events = records.map((attributes, index) => ({
    timestamp: now - (records.length - 1 - index),
    attributes,
  }));
  const response = await fetch(`${server.url}/api/v1/ingest/humio-structured`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.ingestToken}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ tags: { service }, events }]),
  });
  expect(response.status).toBe(200);
}

/** The messages of the rows that exist, top to bottom. */
export function rowMessages(page: Page): Promise<string[]> {
  return page.locator('.row .message').allInnerTexts();
}

/** Runs code in the page with a list of this number of rows. It can wait for elements, which is far cheaper than from here. */
async function evaluateInList<Result>(page: Page, count: number | undefined, body: string): Promise<Result> {
  const is = count === undefined ? '' : `="${count}"`;
  await page.locator(`.scroller :is([aria-setsize${is}], [aria-rowcount${is}])`).first().waitFor();
  return page.evaluate<Result>(`(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const until = async (find) => {
      for (;;) {
        const found = find();
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve));
      }
    };
    ${body}
  })()`);
}

/** Scrolls to the end of a list with this number of rows. Returns all messages, as only the visible rows are rendered. */
export function allRowMessages(page: Page, count?: number): Promise<string[]> {
  return evaluateInList(
    page,
    count,
    `const scroller = document.querySelector('.scroller');
    const messages = new Set();
    for (;;) {
      await frame();
      await frame();
      for (const message of scroller.querySelectorAll('.row .message')) messages.add(message.innerText);
      if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) return [...messages];
      scroller.scrollTop += scroller.clientHeight;
    }`,
  );
}

/** The largest content of the page that a look at it has found. */
export interface PageSize {
  readonly elements: number;
  readonly characters: number;
}

/**
 * Opens the first records of a list with the newest first, and all tabs of their details. With keys, because a row that is
 * not rendered can't be clicked.
 */
export function openRecords(page: Page, count: number, opened = count): Promise<PageSize> {
  return evaluateInList(
    page,
    count,
    `const size = { elements: 0, characters: 0 };
    const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    for (let place = 1; place <= ${opened}; place++) {
      press('j');
      press('Enter');
      const detail = await until(() => document.querySelector(\`[aria-posinset="\${place}"][aria-setsize="${count}"] .detail\`));
      for (const tab of detail.querySelectorAll('[role=tab]')) {
        tab.click();
        await until(() => detail.querySelector('[role=tabpanel]').ariaLabel === tab.textContent);
        size.elements = Math.max(size.elements, document.querySelectorAll('*').length);
        size.characters = Math.max(size.characters, document.body.textContent.length);
      }
      press('Escape');
      await until(() => document.querySelector('.detail') === null);
    }
    return size;`,
  );
}

/** Drops files onto an element, as from a file manager. */
export async function dropFiles(
  page: Page,
  files: Readonly<Record<string, string>>,
  target = 'body',
): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer();
    for (const [name, content] of Object.entries(${JSON.stringify(files)}))
      transfer.items.add(new File([content], name));
    return transfer;
  })()`);
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.dispatchEvent(target, type, { dataTransfer });
}
