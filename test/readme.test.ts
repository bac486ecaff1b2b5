import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient, LogIngestClient } from '../src/index.ts';
import { type LocalServer, startLocalServer } from '../src/local-server/index.ts';
import { type NodeRun, runNode } from './helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '..');
const README = await readFile(join(ROOT, 'README.md'), 'utf8');

/** Every command line of the README, and the test that runs it. */
const COMMANDS: Readonly<Record<string, string>> = {
  'npm ci && npm run demo': 'test/examples.test.ts runs the script "demo" stands for; CI runs npm ci',
  'npm ci && npm test': 'this is it',
  'npm install logclient pino': 'test/package/tarball.test.ts installs the packed package and pino',
  'npx logclient serve': 'test/cli/serve.test.ts',
  "npx logclient query 'level=error | groupBy(#service)' --since 2h": 'test/cli/examples.test.ts',
  'npx logclient tail level=error': 'test/cli/examples.test.ts',
  'cat app.log | npx logclient ingest --tag service=shop': 'test/cli/examples.test.ts',
  "cat app.log | npx logclient query --stdin 'level=error | count()'": 'test/cli/examples.test.ts',
  "npx logclient query 'level=fatal' --since 10m --fail-on-match": 'test/cli/examples.test.ts',
  'export LOGSCALE_URL=http://localhost:3000 LOGSCALE_REPOSITORY=sandbox':
    'the blocks below run with these variables',
  'export LOGSCALE_INGEST_TOKEN=… LOGSCALE_TOKEN=…': 'the blocks below run with these variables',
};

interface Block {
  title: string;
  language: string;
  text: string;
}

function blocks(markdown: string): Block[] {
  let title = '';
  const found: Block[] = [];
  for (const match of markdown.matchAll(/^## (.+)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (match[1] !== undefined) title = match[1];
    else found.push({ title, language: match[2]!, text: match[3]! });
  }
  return found;
}

/** Runs a file of tests as its author would, with vitest. */
async function runVitest(file: string, env: Record<string, string>): Promise<NodeRun> {
  const runner = `${file}.run.mjs`;
  const options = {
    watch: false,
    root: dirname(file),
    include: [basename(file)],
    config: false,
    pool: 'threads',
  };
  await writeFile(
    runner,
    `import { startVitest } from 'vitest/node';\nawait startVitest('test', [], ${JSON.stringify(options)}).then((vitest) => vitest.close());\n`,
  );
  return runNode(runner, env, 60_000);
}

const all = blocks(README);
const programs = all
  .filter(({ language }) => language === 'js')
  .map((block, i) => ({ ...block, number: i + 1 }));
const commandLines = all
  .filter(({ language }) => language === 'sh')
  .flatMap(({ text }) => text.trim().split('\n'));

describe('the README', () => {
  let folder: string;
  let server: LocalServer;
  let traffic: NodeJS.Timeout;

  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, '.tmp-readme-'));
    server = await startLocalServer();
    // The blocks that tail and wait need something that happens while they run.
    const ingest = new LogIngestClient({ baseUrl: server.url, ingestToken: server.ingestToken });
    const event = (level: string) => ({
      timestamp: Date.now(),
      attributes: { level, message: 'ping', invoice: 'inv-0', ms: 5 },
    });
    const send = () =>
      ingest.ingestJsonData([{ tags: { service: 'billing' }, events: [event('warn'), event('error')] }]);
    await send();
    traffic = setInterval(() => void send().catch(() => {}), 200);
  });

  afterAll(async () => {
    clearInterval(traffic);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(programs)(
    'holds a program that runs: $title ($number)',
    async ({ number, text }) => {
      const isTest = text.includes("from 'vitest'");
      const file = join(folder, `block-${number}${isTest ? '.test' : ''}.mjs`);
      await writeFile(file, text);
      const run = isTest ? runVitest : runNode;
      const { code, stdout, stderr } = await run(file, {
        LOGSCALE_URL: server.url,
        LOGSCALE_REPOSITORY: server.repository,
        LOGSCALE_TOKEN: server.userToken,
        LOGSCALE_INGEST_TOKEN: server.ingestToken,
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      if (text.includes('console.log')) expect(stdout).not.toBe('');
      expect(stdout).not.toContain(server.userToken);
    },
    60_000,
  );

  it('ships what its logger programs log', async () => {
    const client = new LogClient({
      baseUrl: server.url,
      repository: server.repository,
      userToken: server.userToken,
    });
    const logged = await client.query(
      '"order placed" or "about to be stopped" or "stock is low" or "invoice not sent" | groupBy(level)',
      { start: '5min' },
    );
    expect(logged.map((row) => row.level)).toEqual(['error', 'info', 'warn']);
  });

  it('has no command line that no test runs', () => {
    expect(commandLines.filter((line) => !(line in COMMANDS))).toEqual([]);
  });

  it('shows text in no other language', () => {
    expect([...new Set(all.map(({ language }) => language))].sort()).toEqual(['js', 'sh']);
  });
});
