import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { type Block, blocksOf, outputPattern } from '../docs/markdown-blocks.ts';
import { FreshProject, ROOT } from './fresh-project.ts';

/** Each page has complete programs, and the folders of recipes with the versions that are tested. */
const PAGES = {
  fastify: ['fastify'],
  express: ['express-pino', 'express-winston'],
  nestjs: ['nestjs'],
  'aws-lambda': ['aws-lambda'],
};

interface Page {
  readonly blocks: readonly Block[];
  /** The packages of its `npm install` lines, with the versions of the recipe. */
  readonly packages: readonly string[];
}

function readPage(page: string, recipes: readonly string[]): Page {
  const blocks = blocksOf(readFileSync(join(ROOT, 'docs', `${page}.md`), 'utf8'));
  const versions: Record<string, string> = {};
  for (const recipe of recipes) {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'examples', recipe, 'package.json'), 'utf8'));
    Object.assign(versions, manifest.dependencies, manifest.devDependencies);
  }
  const names = linesOf(blocks)
    .filter((line) => line.startsWith('npm install '))
    .flatMap((line) => line.split(' ').slice(2))
    .filter((word) => !word.startsWith('-') && word !== 'logclient');
  const packages = names.map((name) => name.replace(/(?<=.)@.*/, ''));
  return { blocks, packages: packages.map((name) => `${name}@${versions[name]}`) };
}

/** The shell lines of a page, in order. */
function linesOf(blocks: readonly Block[]): string[] {
  return blocks.filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('The pages of frameworks, followed in an empty folder', () => {
  const pages = Object.fromEntries(Object.entries(PAGES).map((entry) => [entry[0], readPage(...entry)]));
  let project: FreshProject;
  beforeAll(async () => {
    // One installation for all pages.
    project = await FreshProject.create(Object.values(pages).flatMap(({ packages }) => packages));
  }, 300_000);
  afterAll(() => project?.remove());

  /** Writes the files of a page to a folder of its own, and compiles them if the page does. */
  async function prepare(name: string, { blocks }: Page): Promise<string> {
    const folder = mkdtempSync(join(project.path, `${name}-`));
    symlinkSync(join(project.path, 'node_modules'), join(folder, 'node_modules'));
    for (const { text } of blocks) {
      const [, file] = /^\/\/ (\S+)\n/.exec(text) ?? [];
      if (file !== undefined) writeFileSync(join(folder, file), text);
    }
    if (linesOf(blocks).includes('npx tsc')) {
      const tsc = join(folder, 'node_modules/typescript/bin/tsc');
      expect(await project.node(tsc, '--project', folder)).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    return folder;
  }

  const programs = Object.entries(pages).flatMap(([name, { blocks }]) => {
    const runs = linesOf(blocks).filter((line) => line.startsWith('npx logclient dev '));
    const shown = blocks.filter(({ language }) => language === 'text').slice(-runs.length);
    return runs.map((run, index) => ({ name, run, shown: shown[index]!.text }));
  });

  it.each(programs)('$name shows what its program prints: $run', async ({ name, run, shown }) => {
    const page = pages[name]!;
    const folder = await prepare(name, page);
    const lines = linesOf(page.blocks);
    const port = await freePort();
    const words = run.replace('npx logclient dev ', '');
    const main = join(folder, 'node_modules/logclient/dist/cli/main.js');
    const dev = spawn(process.execPath, [main, 'dev', '--port', '0', ...words.split(' ')], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, LOGCLIENT_DISCOVERY: 'off', PORT: String(port) },
    });
    onTestFinished(() => void dev.kill());
    const printed = { stderr: '', stdout: '' };
    for (const stream of ['stderr', 'stdout'] as const) {
      dev[stream].setEncoding('utf8').on('data', (text) => {
        printed[stream] += text;
      });
    }
    const calls = lines.filter((line) => line.startsWith('curl '));
    if (calls.length > 0) await expect.poll(() => isOpen(port), { message: printed.stderr }).toBe(true);
    for (const call of calls) {
      await promisify(execFile)('sh', ['-c', call.replace('localhost:3001', `localhost:${port}`)]);
    }
    await expect.poll(() => `${printed.stderr}${printed.stdout}`.trim()).toMatch(outputPattern(shown));
  });

  const servers = programs.filter(({ name }) =>
    linesOf(pages[name]!.blocks).some((line) => line.startsWith('curl ')),
  );

  // Again if the machine has paused for most of the second after Ctrl-C.
  it.each(servers)(
    '$name: $run can be called from outside a container, and delivers on Ctrl-C',
    { retry: 2 },
    async ({ name, run }) => {
      const folder = await prepare(name, pages[name]!);
      const server = await startLocalServer();
      onTestFinished(() => server.close());
      const { url: baseUrl, repository, userToken, ingestToken } = server;
      const port = await freePort();
      const child = spawn(process.execPath, run.replace('npx logclient dev node ', '').split(' '), {
        cwd: folder,
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          LOGSCALE_URL: baseUrl,
          LOGSCALE_INGEST_TOKEN: ingestToken,
          // Only the signal sends the records.
          LOGSCALE_FLUSH_INTERVAL_MS: '60000',
        },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      await expect.poll(() => isOpen(port, OUTSIDE)).toBe(true);
      await (
        await fetch(`http://${OUTSIDE}:${port}/orders/o-1`, { headers: { connection: 'close' } })
      ).text();
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
      const client = new LogClient({ baseUrl, repository, userToken });
      expect(await client.query('"order read" | count()')).toEqual([{ _count: '1' }]);
    },
  );
});

/** This computer on Linux. A server that only listens on localhost does not respond there, nor in a container. */
const OUTSIDE = '127.0.0.2';

function isOpen(port: number, host = 'localhost'): Promise<boolean> {
  const socket = connect(port, host);
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy()) as Promise<boolean>;
}
