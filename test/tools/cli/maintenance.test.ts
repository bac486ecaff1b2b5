import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';

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

/** The output of a command that must succeed. */
async function run(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(words, { env: accessTo(server) });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

async function list(...words: string[]): Promise<Record<string, unknown>[]> {
  return JSON.parse(await run(...words, '--json')) as Record<string, unknown>[];
}

describe('Maintenance commands', () => {
  it.each([
    ['files', 'delete', 'none.csv', '--yes'],
    ['tokens', 'delete', 'none', '--yes'],
    ['repositories', 'delete', 'none', '--yes'],
    ['repositories', 'show', 'none'],
    ['repositories', 'retention', 'none'],
    ['views', 'show', 'none'],
  ])('exit with 1 if no such object exists: %s %s %s', async (...words) => {
    const { code, stderr } = await runCommand(words, { env: accessTo(server) });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^logclient: there is no .* "none(\.csv)?"\. "logclient \w+ list" shows what exists\.\n$/,
      ),
    });
  });

  it.each([
    ['repositories', 'none'],
    ['views', 'none'],
    ['files', 'none.csv'],
    ['saved-queries', 'none'],
    ['parsers', 'none'],
    ['tokens', 'none'],
    ['users', 'none@example.com'],
  ])('delete what does not exist only with --if-missing ok: %s', async (resource, name) => {
    const words = [resource, 'delete', name, '--yes'];
    expect((await runCommand(words, { env: accessTo(server) })).code).toBe(1);
    const { code, stderr } = await runCommand([...words, '--if-missing', 'ok'], { env: accessTo(server) });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('fail to delete what exists but cannot be deleted, also with --if-missing ok', async () => {
    for (const words of [
      ['parsers', 'delete', 'kv'],
      ['views', 'delete', 'sandbox'],
      ['files', 'delete', 'a.csv', '--repository', 'none'],
    ]) {
      const run = await runCommand([...words, '--yes', '--if-missing', 'ok'], { env: accessTo(server) });
      expect(run, words.join(' ')).toMatchObject({ code: 1 });
    }
  });

  it('create, show, change and delete users', async () => {
    const wrong = await runCommand(['users', 'create', 'bob'], { env: accessTo(server) });
    expect(wrong).toMatchObject({ code: 2, stderr: 'logclient: "bob" is not an email address.\n' });
    await run('users', 'create', 'bob@example.com', '--root');
    expect(await list('users', 'show', 'bob@example.com')).toMatchObject([
      { email: 'bob@example.com', isRoot: true },
    ]);
    expect(await list('users', 'list')).toHaveLength(2);
    await run(
      'users',
      'update',
      'bob@example.com',
      '--full-name',
      'Bob Lee',
      '--company',
      'Acme',
      '--no-root',
    );
    expect(await list('users', 'show', 'bob@example.com')).toMatchObject([
      { fullName: 'Bob Lee', company: 'Acme', isRoot: false },
    ]);
    expect(await list('users', 'me')).toMatchObject([{ email: 'developer@localhost' }]);
    await run('users', 'delete', 'bob@example.com', '--yes');
    const gone = await runCommand(['users', 'show', 'bob@example.com'], { env: accessTo(server) });
    expect(gone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no user bob@example.com.'),
    });
  });

  it('upload, show, download and delete files without changing a byte', async () => {
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

  it('show an ingest token when it is created, and in a list only with --show-tokens', async () => {
    const token = (
      await run('tokens', 'create', 'web', '--parser', 'kv', '-o', 'raw', '--fields', 'token')
    ).trim();
    expect(token).toMatch(/^\S{20,}$/);
    expect(await run('tokens', 'list')).not.toContain(token);
    expect(await run('tokens', 'list', '--show-tokens')).toContain(token);
    expect(await list('tokens', 'assign', 'web', 'json')).toEqual([
      { name: 'web', parser: 'json', token: null },
    ]);
    await runCommand(['tokens', 'unassign', 'web'], { env: accessTo(server) });
    expect((await list('tokens', 'list')).find(({ name }) => name === 'web')).toMatchObject({ parser: null });
    await run('tokens', 'delete', 'web', '--yes');
    expect((await list('tokens', 'list')).map(({ name }) => name)).toEqual(['default']);
  });

  it('create, change, run and delete saved queries', async () => {
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

  it('reject an empty script and name its file', async () => {
    const script = join(folder, 'empty.lql');
    await writeFile(script, ' \n');
    const { code, stderr } = await runCommand(['parsers', 'create', 'none', script], {
      env: accessTo(server),
    });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `logclient: the script ${script} is empty.\n` });
  });

  it('create, show, change and delete parsers', async () => {
    const script = join(folder, 'parser.lql');
    await writeFile(script, 'kvParse()');
    await run('parsers', 'create', 'shop', script, '--drop-fields', 'secret');
    expect(await run('parsers', 'show', 'shop', '-o', 'raw', '--fields', 'script')).toBe('kvParse()\n');
    await writeFile(script, 'parseJson()');
    await run('parsers', 'update', 'shop', '--script', script, '--name', 'shop-json', '--tag-fields', 'a,b');
    expect(await list('parsers', 'show', 'shop-json')).toMatchObject([
      { script: 'parseJson()', tagFields: ['a', 'b'], dropFields: ['secret'], isBuiltIn: false },
    ]);
    await run('parsers', 'delete', 'shop-json', '--yes');
    expect((await list('parsers', 'list')).map(({ name }) => name)).not.toContain('shop-json');
    const gone = await runCommand(['parsers', 'show', 'shop'], { env: accessTo(server) });
    expect(gone).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no parser "shop" in the repository'),
    });
  });

  it('create, describe and delete repositories', async () => {
    await run('repositories', 'create', 'web', '--days', '7');
    await run('repositories', 'describe', 'web', 'access logs', '-q');
    expect(await list('repositories', 'list')).toContainEqual(
      expect.objectContaining({ name: 'web', description: 'access logs' }),
    );
    expect(await list('repositories', 'show', 'web')).toMatchObject([
      { name: 'web', description: 'access logs', days: 7, ingestGib: null },
    ]);
    await run('repositories', 'delete', 'web', '--yes');
    expect((await list('repositories', 'list')).map(({ name }) => name)).toEqual(['sandbox']);
  });

  it('set the retention of a repository, and need --yes if that deletes events', async () => {
    await run('repositories', 'create', 'kept');
    const set = (...words: string[]) =>
      runCommand(['repositories', 'retention', 'kept', ...words, '--json'], { env: accessTo(server) });
    expect(await set('--days', '30')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this deletes the events of "kept" beyond the new retention'),
    });
    expect((await set('--days', '30', '--yes')).code).toBe(0);
    // Longer than before, or no limit at all: nothing is lost.
    expect((await set('--days', '31.5', '--storage-gib', 'none')).code).toBe(0);
    expect(await list('repositories', 'retention', 'kept')).toEqual([
      { days: 31.5, ingestGib: null, storageGib: null },
    ]);
    expect((await set('--days', 'none')).code).toBe(0);
    expect(await set()).toMatchObject({ stdout: expect.stringContaining('"days":null') });
    expect(await set('--days', '0')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('greater than 0'),
    });
    await run('repositories', 'delete', 'kept', '--yes');
  });

  it('delete events of a query and interval once their number is confirmed', async () => {
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const timestamp = Date.UTC(2026, 0, 5);
    const events = ['ann', 'ann', 'bob'].map((user) => ({ timestamp, attributes: { user } }));
    await client.ingestJsonData([{ tags: {}, events }]);
    const redact = async (query: string, ...words: string[]) => {
      const { code, stderr } = await runCommand(['events', 'delete', query, ...words], {
        env: accessTo(server),
      });
      return [code, stderr];
    };
    const place = 'in "sandbox" from 2026-01-05T00:00:00.000Z to 2026-01-06T00:00:00.000Z';
    const day = ['--from', '2026-01-05T00:00Z', '--to', '2026-01-06T00:00Z'];
    const left = () => client.query('groupBy(user)', { start: 0 });
    expect(await redact('user=ann // of the shop', ...day)).toEqual([
      2,
      `logclient: this deletes 2 events ${place} at ${baseUrl}. Pass --yes to confirm.\n`,
    ]);
    expect(await redact('user=eve', ...day)).toEqual([
      0,
      `logclient: deleted nothing: the query finds 0 events ${place}.\n`,
    ]);
    expect(await redact('user=ann')).toEqual([2, expect.stringContaining('Pass --since or --from.')]);
    expect(await redact('user=(', ...day)).toEqual([1, expect.stringContaining('rejected the query')]);
    expect(await redact('* | groupBy(user)', ...day, '--yes')).toEqual([
      1,
      expect.stringContaining('omit its aggregate function'),
    ]);
    expect(await left()).toHaveLength(2);
    expect(await redact('user=ann', ...day, '--reason', 'ticket', '-y')).toEqual([
      0,
      `logclient: deleted 2 events ${place}.\n`,
    ]);
    expect(await left()).toEqual([{ user: 'bob', _count: '1' }]);
    expect(await redact(' ', ...day)).toEqual([2, 'logclient: <query> is empty.\n']);
    expect(await redact(' | // all', ...day)).toEqual([
      2,
      'logclient: <query> is empty. "*" means all events.\n',
    ]);
    expect(await redact('*', '--from', '2999-01-01')).toEqual([
      1,
      expect.stringContaining('The start of the query is after its end, which is now.'),
    ]);
    await client.createView('people', [{ repositoryName: repository, filter: '*' }]);
    const message =
      'logclient: "people" is a view. Use one of its repositories: "sandbox". Pass --repository.\n';
    for (const query of ['user=bob', 'user=eve']) {
      expect(await redact(query, ...day, '--repository', 'people', '--yes')).toEqual([2, message]);
    }
  });

  it('create, show, change and delete views, and reject a repository as a view', async () => {
    await run(
      'views',
      'create',
      'errors',
      '--connection',
      'sandbox=level=error',
      '--description',
      'bad days',
    );
    expect(await list('views', 'list')).toContainEqual({ name: 'errors', description: 'bad days' });
    expect(await list('views', 'show', 'errors')).toEqual([
      { name: 'errors', repository: 'sandbox', filter: 'level=error' },
    ]);
    await run('views', 'update', 'errors', '--connection', 'sandbox');
    await run('views', 'describe', 'errors', 'everything', '-q');
    expect(await list('views', 'show', 'errors')).toEqual([
      { name: 'errors', repository: 'sandbox', filter: '*' },
    ]);
    expect(await list('views', 'list')).toContainEqual({ name: 'errors', description: 'everything' });
    await run('views', 'delete', 'errors', '--yes');
    expect((await list('views', 'list')).map(({ name }) => name)).not.toContain('errors');
    const empty = await runCommand(['views', 'create', 'none'], { env: accessTo(server) });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('--connection') });
  });

  it.each([
    ['views', 'sandbox', 'a repository, not a view'],
    ['repositories', 'other-kind', 'a view, not a repository'],
  ])('of %s refuse to describe and delete %s, which is %s', async (resource, name, kind) => {
    await run('views', 'create', 'other-kind', '--connection', 'sandbox', '--if-exists', 'keep');
    for (const words of [
      ['describe', name, 'text'],
      ['delete', name, '--yes'],
    ]) {
      const { code, stderr } = await runCommand([resource, ...words], { env: accessTo(server) });
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`"${name}" is ${kind}.`) });
    }
  });

  it('validate a query with --param, and report an invalid one', async () => {
    const validate = (...words: string[]) => runCommand(['validate', ...words], { env: accessTo(server) });
    expect(await validate('level=?level', '--param', 'level=error', '-q')).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    const wrong = await validate('level=error | groupBy(');
    expect(wrong).toMatchObject({ code: 1, stderr: 'logclient: the query is invalid.\n' });
    expect(JSON.parse(wrong.stdout)).toMatchObject({ severity: 'Error', code: expect.any(String) });
  });

  it.each([
    [['users', 'update', 'a@example.com'], /nothing to change. Pass --full-name/],
    [['parsers', 'update', 'kv'], /nothing to change. Pass --script/],
    [['views', 'create', 'v', '--connection', '=x'], /the form repository=filter/],
  ])('reject %j with exit code 2', async (words, message) => {
    const { code, stderr } = await runCommand(words, { env: accessTo(server) });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(message) });
  });

  it.each([
    ['users', 'delete', 'developer@localhost'],
    ['files', 'delete', 'x.csv'],
    ['tokens', 'delete', 'default'],
    ['repositories', 'delete', 'sandbox'],
  ])('delete nothing without --yes if there is no terminal: %s %s %s', async (...words) => {
    const { code, stderr } = await runCommand(words, { env: accessTo(server) });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(/^logclient: this deletes .* Pass --yes .*\n$/),
    });
    expect((await list('repositories', 'list')).length + (await list('users', 'list')).length).toBe(2);
    expect(await list('tokens', 'list')).toHaveLength(1);
  });

  it('show the status of the service without a token', async () => {
    const { code, stdout } = await runCommand(['status', '--url', server.url, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([{ url: server.url, status: 'OK', version: expect.any(String) }]);
  });
});
