import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';
import {
  blocksOf,
  outputPattern,
  sessionOf,
  withoutCodeBlocks,
  withoutGeneratedPart,
} from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { ESSENTIAL, essentialPages, GROUPS, pageLists } = await import(join(ROOT, 'docs/site/pages.mjs'));

const pages = (await readdir(join(ROOT, 'docs'))).filter((name) => name.endsWith('.md'));
const blocks = await Promise.all(
  pages.map(async (page) =>
    blocksOf(await readFile(join(ROOT, 'docs', page), 'utf8')).map((block) => ({ page, ...block })),
  ),
);
const code = blocks
  .flat()
  .filter(({ language }) => ['js', 'ts', 'mjs', 'cjs', 'tsx', 'jsx'].includes(language));
/** These pages show parts of programs; test/recipes-page.test.ts finds them there, and the programs are run. */
const wholes = code.filter(({ page }) => page !== 'recipes.md' && page !== 'nextjs.md');
/**
 * A block that imports only the package, loggers and HTTP mocks is a complete program. The others need a test runner.
 */
const PROGRAM_IMPORTS =
  /^(logclient(\/(?!testing).*)?|pino|winston|loglayer|nock|msw(\/node)?|undici|node:.*)$/;
const programs = wholes
  // These need events or another service while their programs run: test/docs/querying.test.ts, next-gen-siem.test.ts.
  .filter(({ page }) => page !== 'querying.md' && page !== 'next-gen-siem.md')
  .filter(({ text }) => isProgram(text))
  .map((block, i) => ({ ...block, number: i + 1 }));

/** Shell lines of these pages run unchanged. */
const SESSION_PAGES = ['connect.md', 'getting-started.md', 'production.md', 'migrating.md'];
const sessions = blocks
  .flat()
  .filter(({ page, language, output }) => SESSION_PAGES.includes(page) && language === 'sh' && output);

const EXAMPLE = /@example\n\s+\* ```ts\n([\s\S]*?)\n\s+\* ```/g;

/** A program with a function for each `@example` block of the clients. */
async function docstringExamples(): Promise<string> {
  const folder = join(ROOT, 'src/client');
  const files = (await readdir(folder)).filter(
    (file) => file.endsWith('.ts') && file !== 'client-options.ts',
  );
  const sources = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const examples = sources.flatMap((source) => [...source.matchAll(EXAMPLE)]);
  expect(examples.length).toBeGreaterThanOrEqual(30);
  const functions = examples.map(
    ([, text], index) =>
      `export const example${index} = async () => {\n${text!.replace(/^\s+\* ?/gm, '')}\n};`,
  );
  return ["import { LogClient } from 'logclient';", 'const client = new LogClient();', ...functions].join(
    '\n',
  );
}

describe('Pages of docs/', () => {
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

  const env = () => ({
    LOGSCALE_URL: server.url,
    LOGSCALE_REPOSITORY: server.repository,
    LOGSCALE_TOKEN: server.userToken,
    LOGSCALE_INGEST_TOKEN: server.ingestToken,
  });

  it('contain code without syntax errors', () => {
    expect(wholes.length).toBeGreaterThan(4);
    const problems = wholes.flatMap(({ page, title, language, text }) => {
      const fileName = `block.${language === 'js' ? 'jsx' : language}`;
      const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
      return diagnostics.map(({ messageText }) => `${page}, ${title}: ${messageText}`);
    });
    expect(problems).toEqual([]);
  });

  it.each(programs)(
    'contain a program that prints the output shown: $page, $title',
    async ({ number, language, text, output }) => {
      const file = join(folder, `block-${number}.${language === 'cjs' ? 'cjs' : 'mjs'}`);
      await writeFile(file, language === 'ts' ? javaScriptOf(text) : text);
      const { code: exitCode, stdout, stderr } = await runNode(file, env());
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      if (output !== undefined) expect(stdout.trim()).toMatch(outputPattern(output));
    },
  );

  it('contain TypeScript programs without type errors, and so do the @example blocks of the clients', async () => {
    const typed = wholes.filter(({ language, text }) => language === 'ts' && isProgram(text));
    expect(typed.filter(({ page }) => page === 'querying.md').length).toBeGreaterThan(11);
    expect(typed.length).toBeGreaterThan(16);
    const files = typed.map(({ page }, i) => join(folder, `${page}-${i}.mts`));
    for (const [i, { text }] of typed.entries()) await writeFile(files[i]!, text);
    files.push(join(folder, 'docstrings.mts'));
    await writeFile(files.at(-1)!, await docstringExamples());
    const program = ts.createProgram(files, {
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      types: ['node'],
      strict: true,
      noUncheckedIndexedAccess: true,
      noEmit: true,
      skipLibCheck: true,
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => ({
      file: file?.fileName,
      message: ts.flattenDiagnosticMessageText(messageText, ' '),
    }));
    expect(problems).toEqual([]);
  });

  it.each(sessions)(
    'contain a shell session that prints the output shown: $page, $title',
    async ({ text, output }) => {
      const file = join(folder, 'session.mjs');
      await writeFile(file, sessionOf(text));
      const { code: exitCode, stdout, stderr } = await runNode(file, env(), folder);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(stdout.trim()).toMatch(outputPattern(output!));
    },
  );

  it('contain queries and parser scripts that the server accepts', async () => {
    const client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    // The blocks of these pages are queries: test/engine/function-docs.test.ts and test/docs/detections.test.ts run them.
    const run = ['functions.md', 'detections.md'];
    const scripts = blocks.flat().filter(({ page, language }) => language === 'lql' && !run.includes(page));
    expect(scripts.length).toBeGreaterThan(0);
    for (const [i, { text }] of scripts.entries()) {
      if (/\bgroupBy\(/.test(text)) await client.query(text);
      else await client.createParser(`script-${i}`, text);
    }
  });

  it('contain curl commands that each send one event', async () => {
    const lines = blocks
      .flat()
      .filter(({ language, text }) => language === 'sh' && /^curl .*\$LOGSCALE_URL/s.test(text));
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
});

describe('The map of the pages', () => {
  const START = '<!-- Pages: npx vitest run test/docs/pages.test.ts -u -->';
  const END = '<!-- End of pages -->';

  it.each([
    ['README.md', essentialPages('docs/')],
    ['docs/README.md', pageLists('')],
  ])('is shown by %s', async (name, list) => {
    const file = join(ROOT, name);
    const [before, rest = ''] = (await readFile(file, 'utf8')).split(START);
    const text = `${before}${START}\n\n${list}\n\n${END}${rest.split(END)[1]}`;
    await expect(text).toMatchFileSnapshot(file);
  });

  it('has six groups, each with one of the six pages that suffice for most people', () => {
    const groups = Object.values<object>(GROUPS).map((group) => Object.keys(group));
    expect(groups).toHaveLength(6);
    expect(groups.map((group) => group.find((page) => ESSENTIAL.includes(page)))).toEqual(ESSENTIAL);
  });

  it('has each page of docs/ once', () => {
    const mapped = Object.values<object>(GROUPS).flatMap((group) => Object.keys(group));
    const files = pages.filter((page) => page !== 'README.md').map((page) => page.replace('.md', ''));
    expect(mapped.toSorted()).toEqual(files.toSorted());
  });
});

it('CONTRIBUTING names only existing files and folders', async () => {
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const named = [...text.matchAll(/`((?:src|test|transports|docs|examples)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(
    named.filter((path) => !ts.sys.fileExists(join(ROOT, path)) && !ts.sys.directoryExists(join(ROOT, path))),
  ).toEqual([]);
});

it('CONTRIBUTING has every module in its diagram of the layers', async () => {
  const text = await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  const picture = blocksOf(text).find((block) => block.text.includes('│'))!.text;
  const inside = await Promise.all(
    ['src', 'transports'].map(async (folder) =>
      (await readdir(join(ROOT, folder))).map((name) => `${folder}/${name}`),
    ),
  );
  const modules = inside.flat();
  expect(modules.length).toBeGreaterThan(12);
  expect(modules.filter((module) => !new RegExp(`${module}(?![\\w-])`).test(picture))).toEqual([]);
});

function isProgram(text: string): boolean {
  const imported = [...text.matchAll(/ from '([^']+)'|require\('([^']+)'\)/g)].map(
    (match) => match[1] ?? match[2]!,
  );
  return imported.length > 0 && imported.every((name) => PROGRAM_IMPORTS.test(name));
}

function javaScriptOf(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

it('the navigation of the site links each page of docs/ once', async () => {
  const { nav, sidebar } = await import(join(ROOT, 'docs/site/.vitepress/sidebar.mjs'));
  const links = sidebar.flatMap(({ items }: { items: { link: string }[] }) => items.map(({ link }) => link));
  const expected = pages.map((page) => `/docs/${page.replace('.md', '').replace('README', '')}`);
  expect(links.toSorted()).toEqual(expected.toSorted());
  expect(nav.map(({ link }: { link: string }) => link)).toEqual(['/docs/', '/api/', '/play/']);
});

it('llms.txt links the Markdown of each page, by group, and llms-full.txt has the pages that can be read', async () => {
  const { llmsFull, llmsIndex } = await import(join(ROOT, 'docs/site/llms.mjs'));
  const index: string = llmsIndex();
  expect(index).toMatch(/^# logclient\n\n> .+\n\n/);
  expect([...index.matchAll(/^## (.+)$/gm)].map((match) => match[1])).toEqual(Object.keys(GROUPS));
  const linked = [...index.matchAll(/^- \[.+\]\(https:\/\/[^)]+\/docs\/([\w-]+\.md)\)\*?: /gm)];
  const expected = pages.filter((page) => page !== 'README.md');
  expect(linked.map((match) => match[1]).toSorted()).toEqual(expected.toSorted());
  const full: string = llmsFull();
  expect(full).toContain('\n# Getting started\n');
  expect(full).toContain('\n# Troubleshooting\n');
  expect(full).not.toContain('\n# Functions\n');
});

/** More words need a reason: say it in a table or an example, link to the page that says it already, or cut others. */
const MAX_WORDS = 27_900;

it(`The handwritten pages have at most ${MAX_WORDS} words outside of code`, async () => {
  const references = ['functions.md', 'options.md', 'commands.md'];
  const read = pages.filter((page) => !references.includes(page));
  const texts = await Promise.all(read.map((page) => readFile(join(ROOT, 'docs', page), 'utf8')));
  const prose = texts.map((text) => withoutCodeBlocks(withoutGeneratedPart(text)));
  const words = prose
    .join(' ')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length;
  console.info(`${words} of ${MAX_WORDS} words`);
  expect(words).toBeGreaterThan(20_000);
  expect(words).toBeLessThanOrEqual(MAX_WORDS);
});
