import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient, LogIngestClient } from '../src/index.ts';
import { type LocalServer, startLocalServer } from '../src/server/index.ts';
import { blocksOf, outputPattern, sessionOf } from './docs/markdown-blocks.ts';
import { type NodeRun, runNode } from './helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '..');
const README = await readFile(join(ROOT, 'README.md'), 'utf8');

/** Every command of the README, and the test that runs it. */
const COMMANDS: Readonly<Record<string, string>> = {
  'npm install logclient pino': 'test/package/tarball.test.ts installs the packed package and pino',
  'npx logclient serve --open': 'test/tools/cli/page-link.test.ts',
};

/** Runs a test file with vitest, like its author. */
async function runVitest(file: string, env: Record<string, string>): Promise<NodeRun> {
  const runner = `${file}.run.mjs`;
  const options = {
    watch: false,
    root: dirname(file),
    include: [basename(file)],
    config: false,
    pool: 'threads',
    testTimeout: 60_000,
  };
  await writeFile(
    runner,
    `import { startVitest } from 'vitest/node';\nawait startVitest('test', [], ${JSON.stringify(options)}).then((vitest) => vitest.close());\n`,
  );
  return runNode(runner, env);
}

const all = blocksOf(README);
const scripts = all.filter(({ language }) => language === 'js');
/** Programs whose first line is their file name. A session runs them. */
const files = scripts.flatMap(({ text }) => {
  const [, name] = /^\/\/ (\S+\.mjs)\n/.exec(text) ?? [];
  return name === undefined ? [] : [{ name, text }];
});
const programs = scripts
  .filter(({ text }) => !files.some((file) => file.text === text))
  .map((block, i) => ({ ...block, number: i + 1 }));
const shellBlocks = all.filter(({ language }) => language === 'sh');
/** A program that starts its own server, and the stderr of both. */
const isDev = ({ text }: { text: string }): boolean => text.startsWith('npx logclient dev ');
/** Commands with their output below them. */
const sessions = shellBlocks.filter((block) => block.output !== undefined && !isDev(block));
const commandLines = shellBlocks
  .filter(({ output }) => output === undefined)
  .flatMap(({ text }) => text.trim().split('\n'));

describe('README.md', () => {
  let folder: string;
  let server: LocalServer;
  let traffic: NodeJS.Timeout;
  let env: Record<string, string>;

  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, '.tmp-readme-'));
    server = await startLocalServer();
    env = {
      LOGSCALE_URL: server.url,
      LOGSCALE_REPOSITORY: server.repository,
      LOGSCALE_TOKEN: server.userToken,
      LOGSCALE_INGEST_TOKEN: server.ingestToken,
    };
    // The blocks that tail and wait need events while they run.
    const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
    const event = (level: string, message: string) => ({
      timestamp: Date.now(),
      attributes: { level, message, invoice: 'inv-7', ms: 480 },
    });
    const send = () =>
      ingest.ingestJsonData([
        {
          tags: { service: 'billing' },
          events: [event('warn', 'mailbox is slow'), event('error', 'invoice not sent')],
        },
      ]);
    await send();
    traffic = setInterval(() => void send().catch(() => {}), 200);
  });

  afterAll(async () => {
    clearInterval(traffic);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  // First: a program queries the records of a session.
  it.each(sessions)(
    'shows the output of its shell sessions: $title',
    async ({ text, output }) => {
      const runner = join(folder, 'session.mjs');
      for (const { name, text: program } of files) await writeFile(join(folder, name), program);
      await writeFile(runner, sessionOf(text));
      const { code, stdout, stderr } = await runNode(runner, env, folder);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout.trim()).toMatch(outputPattern(output!));
    },
    60_000,
  );

  it.each(programs)(
    'has programs that run: $title ($number)',
    async ({ number, text, output }) => {
      const isTest = text.includes("from 'vitest'");
      const file = join(folder, `block-${number}${isTest ? '.test' : ''}.mjs`);
      await writeFile(file, text);
      const run = isTest ? runVitest : runNode;
      const { code, stdout, stderr } = await run(file, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      if (text.includes('console.log')) expect(stdout).not.toBe('');
      if (output !== undefined) expect(stdout.trim()).toMatch(outputPattern(output));
      expect(stdout).not.toContain(server.userToken);
    },
    60_000,
  );

  it("starts with a session that prints the program's records", async () => {
    const { text, output } = shellBlocks.find(isDev)!;
    for (const { name, text: program } of files) await writeFile(join(folder, name), program);
    const runner = join(folder, 'dev.mjs');
    await writeFile(runner, sessionOf(text.replace('dev', 'dev --port 0')));
    const { code, stdout, stderr } = await runNode(runner, {}, folder);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr.trim()).toMatch(outputPattern(output!));
  });

  it('has logger programs that deliver their records', async () => {
    const client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    const logged = await client.query(
      '"order placed" or "payment is slow" or "mailbox is full" | groupBy([#service, level])',
      { start: '5min' },
    );
    expect(logged).toEqual([
      { '#service': 'billing', level: 'error', _count: '1' },
      { '#service': 'cart', level: 'info', _count: '1' },
      { '#service': 'cart', level: 'warn', _count: '1' },
    ]);
  });

  it('has only commands that a test runs', () => {
    expect(commandLines.filter((line) => !(line in COMMANDS))).toEqual([]);
  });

  it('has at most 1,400 words', () => {
    expect(README.trim().split(/\s+/).length).toBeLessThanOrEqual(1_400);
  });

  it('has only js, sh and text blocks', () => {
    expect([...new Set(all.map(({ language }) => language))].sort()).toEqual(['js', 'sh', 'text']);
  });
});
