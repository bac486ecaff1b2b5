import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { LocalServer } from '../../src/server/index.ts';

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

let browser: Browser;

/** One browser for all tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    browser = await chromium.launch(LAUNCH);
  });
  afterAll(() => browser.close());
}

export interface OpenOptions {
  /** The fragment after the token. */
  readonly hash?: string;
  readonly token?: string;
  readonly context?: BrowserContextOptions;
}

/** Opens the page in a fresh profile, as the link of `serve` does. */
export function openPage(
  server: Pick<LocalServer, 'url' | 'userToken'>,
  { hash = '', token = server.userToken, context = {} }: OpenOptions = {},
): Promise<Page> {
  return openLink(`${server.url}/#token=${token}&${hash}`, context);
}

/** A fresh profile, whose tabs share their storage. */
export async function openProfile(): Promise<BrowserContext> {
  const profile = await browser.newContext();
  onTestFinished(() => profile.close());
  return profile;
}

/** Opens an address in a fresh profile. A test fails if the page logs an error that it doesn't expect. */
export async function openLink(
  url: string,
  context: BrowserContextOptions = {},
  expected = /^Failed to load resource/,
  expectedPageError = /^$/,
): Promise<Page> {
  const profile = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...context });
  const page = await profile.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => {
    if (!expectedPageError.test(error.message)) errors.push(error.stack ?? error.message);
  });
  page.on('console', (message) => {
    // What the server rejects is shown on the page.
    if (message.type() === 'error' && !expected.test(message.text())) errors.push(message.text());
  });
  onTestFinished(async () => {
    await profile.close();
    expect(errors, 'errors in the console').toEqual([]);
  });
  await page.goto(url);
  return page;
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
