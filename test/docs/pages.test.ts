import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, outputPattern } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');

const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
const blocks = await Promise.all(
  pages.map(async (page) =>
    blocksOf(await readFile(join(ROOT, 'docs', page), 'utf8')).map((block) => ({ page, ...block })),
  ),
);
const code = blocks
  .flat()
  .filter(({ language }) => ['js', 'ts', 'mjs', 'cjs', 'tsx', 'jsx'].includes(language));
/** That page shows pieces of programs; test/recipes-page.test.ts finds them there, and the programs are run. */
const wholes = code.filter(({ page }) => page !== 'recipes.md');
/** A block that imports only the package, loggers and HTTP mocks is a whole program. The rest needs a test runner. */
const PROGRAM_IMPORTS = /^(logclient(\/(?!testing).*)?|pino|winston|nock|msw(\/node)?|undici|node:.*)$/;
const programs = wholes
  // That page needs events while its programs run: test/docs/querying.test.ts.
  .filter(({ page }) => page !== 'querying.md')
  .filter(({ text }) => {
    const imported = [...text.matchAll(/ from '([^']+)'|require\('([^']+)'\)/g)].map(
      (match) => match[1] ?? match[2]!,
    );
    return imported.length > 0 && imported.every((name) => PROGRAM_IMPORTS.test(name));
  })
  .map((block, i) => ({ ...block, number: i + 1 }));

describe('the pages of docs/', () => {
  let folder: string;
  let server: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer();
    folder = await mkdtemp(join(ROOT, '.tmp-docs-'));
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('hold code that compiles', () => {
    expect(wholes.length).toBeGreaterThan(4);
    const problems = wholes.flatMap(({ page, title, language, text }) => {
      const fileName = `block.${language === 'js' ? 'jsx' : language}`;
      const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
      return diagnostics.map(({ messageText }) => `${page}, ${title}: ${messageText}`);
    });
    expect(problems).toEqual([]);
  });

  it.each(programs)(
    'hold a program that runs, with the output that is shown: $page, $title',
    async ({ number, text, output }) => {
      const file = join(folder, `block-${number}.mjs`);
      await writeFile(file, text);
      const {
        code: exitCode,
        stdout,
        stderr,
      } = await runNode(file, {
        LOGSCALE_URL: server.url,
        LOGSCALE_REPOSITORY: server.repository,
        LOGSCALE_TOKEN: server.userToken,
        LOGSCALE_INGEST_TOKEN: server.ingestToken,
      });
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      if (output !== undefined) expect(stdout.trim()).toMatch(outputPattern(output));
    },
  );

  it('hold scripts of the query language that the server takes', async () => {
    const client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    const scripts = blocks.flat().filter(({ language }) => language === 'lql');
    expect(scripts.length).toBeGreaterThan(0);
    for (const [i, { text }] of scripts.entries()) await client.createParser(`script-${i}`, text);
  });

  it('hold lines for curl that work', async () => {
    const lines = blocks.flat().filter(({ language, text }) => language === 'sh' && text.startsWith('curl '));
    expect(lines.length).toBeGreaterThan(0);
    const before = server.inspect.store().events;
    for (const { text } of lines) {
      const { stdout } = await promisify(execFile)('bash', ['-c', text], {
        env: { ...process.env, LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: server.ingestToken },
      });
      expect(JSON.parse(stdout)).toMatchObject({ errors: false });
    }
    expect(server.inspect.store().events).toBe(before + lines.length);
  });

  it('are all named in the README', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    expect(pages.filter((name) => !readme.includes(`(docs/${name}`))).toEqual([]);
  });

  it('link to pages and headings that are there', async () => {
    const texts = new Map<string, string>();
    for (const page of ['README.md', 'CONTRIBUTING.md', ...pages.map((name) => `docs/${name}`)]) {
      texts.set(page, await readFile(join(ROOT, page), 'utf8'));
    }
    const broken = [...texts].flatMap(([page, text]) => brokenLinks(page, text, texts));
    expect(broken).toEqual([]);
  });
});

it('CONTRIBUTING names files and folders that are there', async () => {
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const named = [...text.matchAll(/`((?:src|test|transports|docs|examples)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter((path) => !ts.sys.fileExists(join(ROOT, path)) && !ts.sys.directoryExists(join(ROOT, path))),
  ).toEqual([]);
});

it('CONTRIBUTING has every room in its picture of the layers', async () => {
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const picture = blocksOf(text).find((block) => block.text.includes('│'))!.text;
  const inside = await Promise.all(
    ['src', 'transports'].map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`),
    ),
  );
  const rooms = inside.flat();
  expect(rooms.length).toBeGreaterThan(12);
  expect(rooms.filter((room) => !new RegExp(`${room}(?![\\w-])`).test(picture))).toEqual([]);
});

function brokenLinks(page: string, text: string, texts: ReadonlyMap<string, string>): string[] {
  const links = [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
    (match) => match[1]!,
  );
  return links
    .filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link, texts))
    .map((link) => `${page}: ${link}`);
}

function leadsSomewhere(page: string, link: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : join(page, '..', path);
  const text = texts.get(target);
  if (text === undefined)
    return ts.sys.fileExists(join(ROOT, target)) || ts.sys.directoryExists(join(ROOT, target));
  return anchor === undefined || headingIds(text).includes(anchor);
}

/** The anchors of headings, as GitHub makes them. */
function headingIds(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1]!);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
