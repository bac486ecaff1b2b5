import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { accessTo, runCommand } from '../helpers/cli-run.ts';

let server: LocalServer;
let folder: string;
beforeAll(async () => {
  server = await startLocalServer();
  folder = await mkdtemp(join(tmpdir(), 'logclient-maintenance-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** What a command wrote that has to work. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words, { env: accessTo(server) });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function list(...words: string[]): Promise<Record<string, string>[]> {
  return JSON.parse(await run(...words, '--json')) as Record<string, string>[];
}

describe('the commands of maintenance', () => {
  it('create, show and delete users', async () => {
    await run('users', 'create', 'bob@example.com', '--root');
    expect(await list('users', 'show', 'bob@example.com')).toMatchObject([
      { email: 'bob@example.com', isRoot: 'true' },
    ]);
    expect(await list('users', 'list')).toHaveLength(2);
    await run('users', 'delete', 'bob@example.com', '--yes');
    const gone = await runCommand(['users', 'show', 'bob@example.com'], { env: accessTo(server) });
    expect(gone).toMatchObject({ code: 1, stderr: 'logclient: there is no user bob@example.com.\n' });
  });

  it('upload, show, download and delete files, byte by byte', async () => {
    const bytes = Buffer.from('\ufeffa,b\n1,"é, 日本"\n');
    const path = join(folder, 'hosts.csv');
    await writeFile(path, bytes);
    await run('files', 'upload', path, '--name', 'renamed.csv');
    expect(await list('files', 'list')).toMatchObject([{ name: 'renamed.csv', bytes: bytes.length }]);
    expect(await list('files', 'show', 'renamed.csv', '--fields', 'a')).toEqual([{ a: '1' }]);
    const copy = join(folder, 'copy.csv');
    await run('files', 'download', 'renamed.csv', '--out', copy);
    expect(await readFile(copy)).toEqual(bytes);
    await run('files', 'delete', 'renamed.csv', '-y');
    expect(await list('files', 'list')).toEqual([]);
    const gone = await runCommand(['files', 'download', 'renamed.csv'], { env: accessTo(server) });
    expect(gone).toMatchObject({ code: 1, stderr: 'logclient: there is no file "renamed.csv".\n' });
  });

  it('show an ingest token when it is created, and in a list only when asked', async () => {
    const token = (
      await run('tokens', 'create', 'web', '--parser', 'kv', '-o', 'raw', '--fields', 'token')
    ).trim();
    expect(token).toMatch(/^\S{20,}$/);
    expect(await run('tokens', 'list')).not.toContain(token);
    expect(await run('tokens', 'list', '--show-tokens')).toContain(token);
    expect(await list('tokens', 'assign', 'web', 'json')).toEqual([
      { name: 'web', parser: 'json', token: '(hidden)' },
    ]);
    await run('tokens', 'delete', 'web', '--yes');
    expect((await list('tokens', 'list')).map(({ name }) => name)).toEqual(['default']);
  });

  it('keep, change, run and delete saved queries', async () => {
    await run(
      'saved-queries',
      'create',
      'errors',
      'level=error',
      '--description',
      'what fails',
      '--start',
      '7d',
    );
    await run('saved-queries', 'update', 'errors', '--query', 'level=fatal');
    expect(await list('saved-queries', 'show', 'errors')).toMatchObject([
      { query: 'level=fatal', description: 'what fails', start: '7d' },
    ]);
    expect(await run('query', '$errors() | count()', '-o', 'raw')).toBe('0\n');
    await run('saved-queries', 'delete', 'errors', '--yes');
    expect(await list('saved-queries', 'list')).toEqual([]);
  });

  it('create and delete parsers and repositories', async () => {
    const script = join(folder, 'parser.lql');
    await writeFile(script, 'kvParse()');
    await run('parsers', 'create', 'shop', script);
    expect((await list('parsers', 'list')).map(({ name }) => name)).toContain('shop');
    await run('parsers', 'delete', 'shop', '--yes');
    expect((await list('parsers', 'list')).map(({ name }) => name)).not.toContain('shop');
    await run('repositories', 'create', 'web', '--description', 'access logs');
    expect(await list('repositories', 'list')).toContainEqual(
      expect.objectContaining({ name: 'web', description: 'access logs' }),
    );
    await run('repositories', 'delete', 'web', '--yes');
    expect((await list('repositories', 'list')).map(({ name }) => name)).toEqual(['sandbox']);
  });

  it.each([
    ['users', 'delete', 'developer@localhost'],
    ['files', 'delete', 'x.csv'],
    ['tokens', 'delete', 'default'],
    ['repositories', 'delete', 'sandbox'],
  ])('%s %s %s does nothing without --yes where there is nobody to ask', async (...words) => {
    const { code, stderr } = await runCommand(words, { env: accessTo(server) });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^logclient: this deletes .* Pass --yes .*\n$/),
    });
    expect((await list('repositories', 'list')).length + (await list('users', 'list')).length).toBe(2);
    expect(await list('tokens', 'list')).toHaveLength(1);
  });

  it('say how the service is, with no token', async () => {
    const { code, stdout } = await runCommand(['status', '--url', server.url, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([{ url: server.url, status: 'OK', version: expect.any(String) }]);
  });
});
