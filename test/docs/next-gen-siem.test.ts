import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { type NgsiemServer, startLocalServer } from '../../src/server/index.ts';
import { CLI_FILE, startProcess } from '../helpers/cli-process.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, outputPattern } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = await readFile(join(ROOT, 'docs/next-gen-siem.md'), 'utf8');
const blocks = blocksOf(PAGE);
const programs = blocks
  .filter(({ language }) => language === 'js' || language === 'ts')
  .map((block, i) => ({ ...block, number: i + 1 }));

describe('docs/next-gen-siem.md', () => {
  let folder: string;
  let server: NgsiemServer;
  let env: Record<string, string>;
  beforeAll(async () => {
    server = await startLocalServer({ ngsiem: true });
    folder = await mkdtemp(join(ROOT, '.tmp-docs-'));
    env = {
      FALCON_CLIENT_ID: server.clientId,
      FALCON_CLIENT_SECRET: server.clientSecret,
      FALCON_BASE_URL: server.url,
      LOGSCALE_FORMAT: 'hec',
      LOGSCALE_INGEST_URL: server.hecUrl,
      LOGSCALE_INGEST_TOKEN: server.hecToken,
    };
  });
  afterAll(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('names only environment variables that exist', () => {
    const known = Object.keys({ ...env, FALCON_CLOUD: '', FALCON_MEMBER_CID: '' });
    const named = [...PAGE.matchAll(/\b(?:FALCON|LOGSCALE)_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  // In the order of the page: the first program sends the record that the others find.
  it.each(programs)(
    'contains a program that prints the output shown: $title ($number)',
    async ({ number, text, output }) => {
      const file = join(folder, `block-${number}.mjs`);
      const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext };
      await writeFile(file, ts.transpile(text, options));
      const { code, stdout, stderr } = await runNode(file, env);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      if (output !== undefined) expect(stdout.trim()).toMatch(outputPattern(output));
    },
  );

  it('contains a command that finds the record', async () => {
    const { text, output } = blocks.find((block) => block.text.startsWith('npx logclient query'))!;
    const line = text.replace('npx logclient', `'${process.execPath}' '${CLI_FILE}'`);
    const {
      child,
      output: written,
      ended,
    } = startProcess('bash', ['-c', line], {
      env: { ...env, PATH: process.env.PATH, HOME: folder },
    });
    child.stdin!.end();
    expect({ code: await ended, stderr: written.stderr }).toEqual({ code: 0, stderr: '' });
    expect(written.stdout.trim()).toMatch(outputPattern(output!));
  });

  it('marks only methods that throw as unavailable and only existing methods as available', async () => {
    const { url: baseUrl, auth } = server;
    const client = new LogClient({ baseUrl, auth, repository: 'search-all' });
    const rows = PAGE.split('\n').filter((line) => /^\| `\w+`.*\| (yes|no: )/.test(line));
    const methodsIn = (row: string) => [...row.split('|')[1]!.matchAll(/`(\w+)`/g)].map(([, name]) => name!);
    const missing = rows.filter((row) => row.includes('| no: ')).flatMap(methodsIn);
    expect(missing.length).toBeGreaterThan(8);
    for (const method of missing) {
      const call = Reflect.get(client, method) as (...values: unknown[]) => Promise<unknown>;
      const values = {
        ingestJsonData: [[]],
        ingestMessages: [['x']],
        addFileContents: ['x', ['a'], [['1']]],
      };
      const given = values[method as keyof typeof values] ?? ['x'];
      const outcome = Promise.resolve().then(() =>
        call.apply(client, ['listFiles', 'getStatus'].includes(method) ? [] : given),
      );
      await expect(outcome, method).rejects.toMatchObject({ code: 'LOG_NOT_SUPPORTED' });
    }
    const available = rows.filter((row) => !row.includes('| no: ')).flatMap(methodsIn);
    expect(available.filter((name) => typeof Reflect.get(client, name) !== 'function')).toEqual([]);
  });
});
