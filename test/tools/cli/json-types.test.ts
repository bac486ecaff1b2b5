import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { leaves } from './command-reference.ts';

let server: LocalServer;
let folder: string;
let script: string;
let log: string;
let leak: string;
beforeAll(async () => {
  server = await startLocalServer();
  folder = await mkdtemp(join(tmpdir(), 'logclient-json-types-'));
  script = join(folder, 'parser.lql');
  await writeFile(script, 'parseJson()');
  log = join(folder, 'app.log');
  leak = join(folder, 'leak.log');
  await writeFile(log, '{"level":30,"time":1790000000000,"msg":"started"}\n');
  await writeFile(leak, '{"level":30,"msg":"sent","authorization":"Bearer abcdefghijklmnop0123456789"}\n');
  await writeFile(join(folder, 'pushed.yaml'), 'name: pushed\nscript: parseJson()\n');
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  await client.uploadFile({ name: 'hosts.csv', content: 'a,b\n1,true\n' });
  await client.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes: { n: 7, ok: true } }] }]);
  await client.createParser('shop', 'parseJson()', { fieldsToTag: ['level'] });
  await client.createSavedQuery('errors', 'level=error');
  await client.createView('shop', [{ repositoryName: repository, filter: '*' }]);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Commands whose rows are the data of users, as text: events as the service returns them, what logs contain. */
const DATA = {
  diff: ['diff', 'before.log', 'after.log'],
  query: ['query'],
  tail: ['tail', '--limit', '1'],
  'files show': ['files', 'show', 'hosts.csv'],
};

/** All other commands with rows. Those that change something run in this order. */
function lists(): Readonly<Record<string, readonly string[]>> {
  return {
    cost: ['cost', log],
    scan: ['scan', leak],
    explain: ['explain', 'n=7 | count()'],
    validate: ['validate', 'cuont()'],
    status: ['status'],
    'auth status': ['auth', 'status'],
    'files list': ['files', 'list'],
    'saved-queries list': ['saved-queries', 'list'],
    'saved-queries show': ['saved-queries', 'show', 'errors'],
    'saved-queries create': ['saved-queries', 'create', 'slow', 'ms > 500'],
    'saved-queries update': ['saved-queries', 'update', 'errors', '--query', '*'],
    'parsers list': ['parsers', 'list'],
    'parsers show': ['parsers', 'show', 'shop'],
    'parsers create': ['parsers', 'create', 'made', script],
    'parsers update': ['parsers', 'update', 'made', '--tag-fields', 'a,b'],
    'parsers push': ['parsers', 'push', join(folder, 'pushed.yaml')],
    'tokens list': ['tokens', 'list'],
    'tokens create': ['tokens', 'create', 'web'],
    'tokens assign': ['tokens', 'assign', 'web', 'json'],
    'users list': ['users', 'list'],
    'users create': ['users', 'create', 'ann@example.com'],
    'users show': ['users', 'show', 'ann@example.com'],
    'users me': ['users', 'me'],
    'users update': ['users', 'update', 'ann@example.com', '--root'],
    'repositories list': ['repositories', 'list'],
    'repositories show': ['repositories', 'show', 'sandbox'],
    'repositories create': ['repositories', 'create', 'made'],
    'repositories retention': ['repositories', 'retention', 'made', '--days', '30', '--yes'],
    'views list': ['views', 'list'],
    'views show': ['views', 'show', 'shop'],
    'views create': ['views', 'create', 'made-view', '--connection', 'sandbox'],
    'views update': ['views', 'update', 'made-view', '--connection', 'sandbox'],
  };
}

/** Words for what JSON has a type for. */
const UNTYPED = /^(|true|false|null|none|not set|\(hidden\)|-?\d+(\.\d+)?( s)?)$/;

async function rowsOf(words: readonly string[], flag: string): Promise<Record<string, unknown>[]> {
  const { stdout } = await runCommand([...words, ...flag.split(' ')], { env: accessTo(server) });
  if (flag === '--json') return JSON.parse(stdout) as Record<string, unknown>[];
  const lines = stdout.trim().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('JSON output', () => {
  it('is tested here for every command that prints rows', () => {
    const isOf = (name: string): boolean =>
      createProgram().commands.some((command) => command.name() === name);
    const withRows = leaves(createProgram().commands)
      .filter(({ options }) => options.some(({ long }) => long === '--json'))
      .map((command) => {
        const parent = command.parent!.name();
        return isOf(parent) ? `${parent} ${command.name()}` : command.name();
      });
    expect(withRows.sort()).toEqual([...Object.keys(DATA), ...Object.keys(lists())].sort());
  });

  it('has true, false, numbers and null instead of words for them in every list', async () => {
    for (const [name, words] of Object.entries(lists())) {
      const rows = await rowsOf(words, '--json');
      expect(rows.length, name).toBeGreaterThan(0);
      const untyped = rows.flatMap((row) =>
        Object.entries(row).filter(([, value]) => typeof value === 'string' && UNTYPED.test(value)),
      );
      expect(untyped, name).toEqual([]);
    }
  });

  it('has the same values as NDJSON', async () => {
    for (const words of [
      ['users', 'list'],
      ['repositories', 'retention', 'made'],
      ['parsers', 'list'],
    ]) {
      expect(await rowsOf(words, '-o ndjson')).toEqual(await rowsOf(words, '--json'));
    }
  });

  it('has a boolean that jq can select by, a number, null and an array', async () => {
    expect(await rowsOf(['users', 'show', 'ann@example.com'], '--json')).toMatchObject([{ isRoot: true }]);
    expect(await rowsOf(['repositories', 'retention', 'made'], '--json')).toEqual([
      { days: 30, ingestGib: null, storageGib: null },
    ]);
    expect(await rowsOf(['parsers', 'show', 'made'], '--json')).toMatchObject([
      { tagFields: ['a', 'b'], dropFields: [], isBuiltIn: false },
    ]);
  });

  it('has the values of events and lookup files as text, as the service stores them', async () => {
    for (const words of [DATA.query, DATA.tail]) {
      expect(await rowsOf(words, '--json')).toMatchObject([{ n: '7', ok: 'true' }]);
    }
    expect(await rowsOf(DATA['files show'], '--json')).toEqual([{ a: '1', b: 'true' }]);
  });

  it.each([
    ['csv', 'days,ingestGib,storageGib\n30,none,none\n'],
    ['logfmt', 'days=30 ingestGib=none storageGib=none\n'],
    ['table', /30\s+none\s+none/],
  ])('differs from -o %s, which says "none" for no limit', async (format, expected) => {
    const words = ['repositories', 'retention', 'made', '-o', format];
    const { stdout } = await runCommand(words, { env: accessTo(server) });
    if (typeof expected === 'string') expect(stdout).toBe(expected);
    else expect(stdout).toMatch(expected);
  });
});

it('--numbers writes the results of functions as numbers, also those of lines', async () => {
  const query = 'groupBy(n) | x := _count * 2 | y := "1"';
  const typed = [{ n: '7', _count: 1, x: 2, y: '1' }];
  const json = async (...words: string[]) =>
    JSON.parse((await runCommand(words, { env: accessTo(server) })).stdout);
  expect(await json('query', query, '--numbers', '-o', 'json')).toEqual(typed);
  expect(await json('query', query, '--json')).toEqual([{ n: '7', _count: '1', x: '2', y: '1' }]);
  expect(await json('query', log, 'count()', '--numbers', '-o', 'ndjson')).toEqual({ _count: 1 });
  const csv = await runCommand(['query', log, 'count()', '--numbers', '-o', 'csv']);
  expect(csv.stdout).toBe('_count\n1\n');
});
