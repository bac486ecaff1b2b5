import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { functionList } from '../../../src/language/index.ts';
import { isOfServiceWorker } from '../../browser/play-server.ts';
import { ROOT } from '../fresh-project.ts';

/** The path that the site is served below. */
const BASE = '/logclient/';
const ADDRESS = `https://site.example${BASE}`;
const SITE = join(ROOT, 'docs/site/dist');

const pages = readdirSync(join(ROOT, 'docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file.slice(0, -'.md'.length).replace('README', 'index')}`);

const htmlOf = (page: string) =>
  readFileSync(join(SITE, `${page}${page.endsWith('/') ? 'index' : ''}.html`), 'utf8');

let browser: Browser | undefined;

async function openProfile(): Promise<BrowserContext> {
  const profile = await browser!.newContext();
  onTestFinished(() => profile.close());
  return profile;
}

interface Site {
  readonly url: string;
  /** Compressed bytes of the responses so far. */
  bytes(): number;
  /** Paths of all requests so far. */
  requests(): readonly string[];
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
};

/** Serves the built site as a host of static files does. */
async function serveSite(): Promise<Site> {
  let bytes = 0;
  const requests: string[] = [];
  const server = createServer(({ url = '/', headers }, response) => {
    requests.push(url);
    const path = new URL(url, 'http://localhost').pathname.slice(BASE.length);
    const file = join(SITE, path === '' || path.endsWith('/') ? `${path}index.html` : path);
    const known = [file, `${file}.html`].find((name) => existsSync(name));
    if (known === undefined) return void response.writeHead(404).end();
    const body = gzipSync(readFileSync(known));
    if (!isOfServiceWorker(headers)) bytes += body.length;
    const type = TYPES[known.split('.').at(-1)!] ?? 'application/octet-stream';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, bytes: () => bytes, requests: () => [...requests] };
}

describe('npm run docs:site', () => {
  beforeAll(async () => {
    // Vitest's NODE_ENV would build the pages for tests.
    const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined };
    // The package is already built, as for all tests of it.
    const built = spawnSync('npm', ['run', 'docs:site:built'], { cwd: ROOT, env, encoding: 'utf8' });
    // Fails for dead links, too, with their names.
    expect(built.status, built.stderr).toBe(0);
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
  }, 600_000);
  afterAll(() => browser?.close());

  it('builds the README, each page of docs/ and the API reference', () => {
    const expected = ['index', ...pages, 'api/index', 'api/classes/src.BaseLogClient'];
    expect(expected.filter((page) => !existsSync(join(SITE, `${page}.html`)))).toEqual([]);
    expect(htmlOf('index')).toContain('Falcon LogScale');
  });

  it('links the next and the previous page, in the order of the index', () => {
    const pager = /class="pager[\s\S]*$/.exec(htmlOf('docs/connect'))![0];
    expect(pager).toContain(`href="${BASE}docs/trust"`);
    expect(pager).toContain(`href="${BASE}docs/next-gen-siem"`);
  });

  it('has an index of the pages and their Markdown for coding agents', () => {
    const index = readFileSync(join(SITE, 'llms.txt'), 'utf8');
    const links = [...index.matchAll(/\]\(https:\/\/[^/]+\/logclient\/(\S+)\)/g)].map((match) => match[1]!);
    expect(links.length).toBeGreaterThan(25);
    expect(links.filter((link) => !existsSync(join(SITE, link)))).toEqual([]);
    expect(readFileSync(join(SITE, 'llms-full.txt'), 'utf8')).toContain('# Getting started');
  });

  it('builds links with anchors that exist on their pages', () => {
    const anchors = ['index', ...pages].flatMap((page) =>
      [...htmlOf(page).matchAll(/href="([\w./-]*#[^"]+)"/g)]
        .map((match) => new URL(match[1]!, `${ADDRESS}${page}`))
        .map(({ pathname, hash }) => ({
          page,
          target: pathname.slice(BASE.length),
          id: decodeURIComponent(hash.slice(1)),
        })),
    );
    expect(anchors.length).toBeGreaterThan(50);
    expect(anchors.filter(({ target, id }) => !htmlOf(target).includes(`id="${id}"`))).toEqual([]);
  });

  it('has the playground, which loads at most 460 KB before its first result, and then works offline', async () => {
    const site = await serveSite();
    const context = await openProfile();
    const page = await context.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    await page.goto(`${site.url}${BASE}play/`);
    await page.locator('.row').first().waitFor();
    expect(site.bytes()).toBeLessThan(460_000);
    await page.getByText('Ready offline').waitFor();
    await context.setOffline(true);
    const before = site.requests().length;
    await page.reload();
    await page.locator('.row').first().waitFor();
    // Only the browser itself looks for a new version of the service worker, at a time of its choice.
    const later = site.requests().slice(before);
    expect(later.filter((url) => !url.endsWith('/service-worker.js'))).toEqual([]);
    expect([...hosts].filter((host) => host !== '' && !site.url.endsWith(host))).toEqual([]);
  });

  it.each([
    ['functions', 'div.language-lql'],
    ['query-tutorial', 'div.language-sh:has-text("npx logclient query")'],
  ])('runs the examples of docs/%s in place, and opens them in the playground', async (name, blocks) => {
    const site = await serveSite();
    const page = await (await openProfile()).newPage();
    await page.goto(`${site.url}${BASE}docs/${name}`);
    const boxes = page.locator('.example-run');
    await boxes.first().waitFor();
    expect(await boxes.count()).toBeGreaterThanOrEqual(name === 'functions' ? 190 : 23);
    const block = page.locator(blocks).first();
    const box = block.locator('xpath=following-sibling::*[1]');
    await box.getByRole('button', { name: 'Edit and run' }).click();
    const output = box.locator('pre');
    if (name === 'functions') {
      const printed = await block.locator('xpath=following-sibling::*[2]//code').innerText();
      await expect.poll(() => output.innerText()).toBe(printed.trim());
    } else {
      await expect.poll(() => output.innerText()).toContain('mailbox is full');
    }
    await box.getByLabel('Query').fill('count()');
    await box.getByRole('button', { name: 'Run' }).click();
    await expect.poll(() => output.innerText()).toMatch(/^_count\n\d+$/);
    await box.getByText('Open in the playground').click();
    await expect.poll(() => page.locator('.cm-content').innerText()).toBe('count()');
    await page.locator('main').getByText(/^\d+$/).first().waitFor();
  });

  it('colors each function and pipe of the queries in its blocks', () => {
    const plain = /--shiki-light:#24292E[^>]*>([^<]*)</g;
    const blocks = ['functions', 'query-language', 'nextjs', 'testing-parsers'].flatMap((page) =>
      [...htmlOf(`docs/${page}`).matchAll(/<div class="language-lql .*?<code>(.*?)<\/code>/gs)].map(
        ([, html]) => html!,
      ),
    );
    expect(blocks.length).toBeGreaterThan(190);
    const names = functionList().join('|');
    const code = new RegExp(`(?<![\\w:$])(?:${names})\\(|\\|`);
    const uncolored = blocks.flatMap((html) =>
      [...html.matchAll(plain)].map(([, text]) => text!).filter((text) => code.test(text)),
    );
    expect(uncolored).toEqual([]);
    expect(blocks.filter((html) => !/light:#(?!24292E)/.test(html))).toEqual([]);
  });

  it('points links to files that are not pages at the repository', () => {
    expect(htmlOf('index')).toMatch(
      /href="https:\/\/github\.com\/[\w-]+\/logclient\/blob\/main\/CONTRIBUTING\.md"/,
    );
    expect(htmlOf('docs/production')).toMatch(/href="https:[^"]+\/blob\/main\/examples\/redaction"/);
  });
});
