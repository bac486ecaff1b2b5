import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { accessTo, type CliRun, runCommand } from '../../helpers/cli-run.ts';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

function run(...words: string[]): Promise<CliRun> {
  return runCommand([...words, '--json'], { env: accessTo(server) });
}

/** For each resource: how to create it, and with other properties, and a column that then differs. */
const RESOURCES: readonly (readonly [words: string[], changed: string[], column: string])[] = [
  [
    ['repositories', 'create', 'web', '--description', 'one'],
    ['repositories', 'create', 'web', '--description', 'two'],
    'description',
  ],
  [['tokens', 'create', 'web', '--parser', 'kv'], ['tokens', 'create', 'web', '--parser', 'json'], 'parser'],
  [
    ['views', 'create', 'shop', '--connection', 'sandbox=a'],
    ['views', 'create', 'shop', '--connection', 'sandbox=b'],
    'filter',
  ],
  [['saved-queries', 'create', 'slow', 'ms > 500'], ['saved-queries', 'create', 'slow', 'ms > 900'], 'query'],
];

describe.each(RESOURCES)('logclient %j', (words, changed, column) => {
  it('creates, exits with 3 if the name is in use, keeps or updates, and prints the same row', async () => {
    const first = await run(...words);
    expect(first.code).toBe(0);
    const again = await run(...changed);
    expect(again).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^logclient: .* already exists\. To keep or update it, pass --if-exists/),
    });
    expect(again.stderr).not.toContain('taken');
    expect(await run(...changed, '--if-exists', 'error')).toMatchObject({ code: 3 });
    expect(await run(...changed, '--if-exists', 'keep')).toEqual(first);
    const [before] = JSON.parse(first.stdout) as Record<string, unknown>[];
    const updated = await run(...changed, '--if-exists', 'update');
    const [after] = JSON.parse(updated.stdout) as Record<string, unknown>[];
    expect(updated.code).toBe(0);
    expect(after).toEqual({ ...before, [column]: after![column] });
    expect(after![column]).not.toBe(before![column]);
  });
});

describe('--if-exists', () => {
  it('keep prints the same token for commands that run at the same time', async () => {
    const words = ['tokens', 'create', 'shared', '--if-exists', 'keep', '-o', 'raw', '--fields', 'token'];
    const commands = Array.from({ length: 4 }, () => startCli(words, accessTo(server)));
    expect(await Promise.all(commands.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    expect(new Set(commands.map(({ output }) => output.stdout)).size).toBe(1);
  });

  it('update asks for confirmation before a stricter retention deletes events', async () => {
    await run('repositories', 'create', 'kept', '--days', '30');
    const stricter = ['repositories', 'create', 'kept', '--if-exists', 'update', '--days', '7'];
    expect(await run(...stricter)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this deletes the events of "kept"'),
    });
    expect((await run(...stricter, '--yes')).code).toBe(0);
    const { stdout } = await run('repositories', 'retention', 'kept');
    expect(JSON.parse(stdout)).toMatchObject([{ days: 7 }]);
  });

  it('is not advised for the name of a built-in parser, which can not be updated', async () => {
    const { code, stderr } = await runCommand(['parsers', 'create', 'kv', '-'], {
      env: accessTo(server),
      stdin: 'kvParse()',
    });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'logclient: The name "kv" is the name of a built-in parser. Choose another name.\n',
    });
  });

  it('keep exits with 3 if the name belongs to something else', async () => {
    const words = ['views', 'create', 'sandbox', '--connection', 'sandbox', '--if-exists', 'keep'];
    const { code, stderr } = await run(...words);
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringContaining('--if-exists') });
  });
});

describe('An error of the service', () => {
  it('ends without the details that repeat it', async () => {
    for (const words of [
      ['tokens', 'create', 'stray', '--parser', 'none'],
      ['views', 'create', 'stray', '--connection', 'none'],
      ['saved-queries', 'create', '', 'count()'],
      ['repositories', 'create', 'sandbox'],
    ]) {
      const { code, stderr } = await run(...words);
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(/\(\w+: [^)]*\)/);
    }
  });
});

describe('A name in use', () => {
  it('makes every command that creates or renames exit with 3', async () => {
    await run('users', 'create', 'ann@example.com');
    await run('users', 'update', 'ann@example.com', '--username', 'ann');
    await run('users', 'create', 'bob@example.com');
    const { code, stderr } = await run('users', 'update', 'bob@example.com', '--username', 'ann');
    expect({ code, stderr }).toEqual({ code: 3, stderr: expect.not.stringMatching(/\(\w+: \w+\)/) });
  });

  it('is found by createRepository() even if another program creates the repository between its requests', async () => {
    const { url: baseUrl, repository, userToken } = server;
    const clients = Array.from({ length: 8 }, () => new LogClient({ baseUrl, repository, userToken }));
    const made = await Promise.all(
      clients.map((client) => client.createRepository('raced', { ifExists: 'keep' })),
    );
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
  });
});
