import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient, LogIngestClient } from '../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, outputPattern } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = await readFile(join(ROOT, 'docs/querying.md'), 'utf8');
function javaScriptOf(text: string): string {
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

const programs = blocksOf(PAGE)
  .filter(({ language }) => language === 'js' || language === 'ts')
  .map((block, i) => ({ ...block, number: i + 1 }));

describe('docs/querying.md', () => {
  let folder: string;
  let server: LocalServer;
  let traffic: NodeJS.Timeout;

  beforeAll(async () => {
    folder = await mkdtemp(join(ROOT, '.tmp-querying-'));
    server = await startLocalServer();
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
    // Programs that tail and wait need events while they run.
    traffic = setInterval(() => void send().catch(() => {}), 200);
  });
  afterAll(async () => {
    clearInterval(traffic);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(programs)(
    'contains a program that prints the output shown: $title ($number)',
    async ({ number, text, language, output }) => {
      const file = join(folder, `block-${number}.mjs`);
      await writeFile(file, language === 'js' ? text : javaScriptOf(text));
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
      expect(stdout).not.toBe('');
      expect(stdout.trim()).toMatch(outputPattern(output!));
      expect(stdout).not.toContain(server.userToken);
    },
  );

  it('lists only times that the server accepts, and says which it rejects', async () => {
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const [, section = ''] = /### Set the time range\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const times = [...section.matchAll(/`'(.*?)'`/g)].map(([, time]) => time!);
    expect(times).toContain('1d@d+12h');
    const units = [...section.matchAll(/units are .*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/`(\w+)`/g)].map(([, unit]) => `2${unit}`),
    );
    expect(units).toHaveLength(9);
    const given = [...times, ...units, new Date(0), 0, '1770109200000'];
    for (const start of given) {
      expect(await client.query('count()', { start }), String(start)).toHaveLength(1);
    }
    await expect(client.query('*', { start: '2026-02-03T09:00:00' })).rejects.toThrow();
    for (const start of ['now@d', 'calendar: 2months', '1770109200000', new Date(0)]) {
      await expect(client.createQueryJob('*', { isLive: true, start })).rejects.toThrow('"start"');
    }
  });
});
