import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';

let server: LocalServer;
let folder: string;
beforeAll(async () => {
  server = await startLocalServer();
  folder = await mkdtemp(join(tmpdir(), 'logclient-operator-'));
  await writeFile(join(folder, 'a.log'), '{"level":"error"}\n');
  await writeFile(join(folder, 'one.yaml'), 'query: level=error | count()\n');
  await writeFile(join(folder, 'sigma.yaml'), 'logsource:\n  product: windows\ndetection:\n  condition: x\n');
  await writeFile(join(folder, 'none.yaml'), 'title: a rule\n');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

it.each([
  [1, ['ingest', '--parser', 'jsom', 'a.log'], /has no parser "jsom"\. Did you mean "json"\?\n$/],
  [
    0,
    ['query', 'a.log', '--fields', 'levle'],
    /^logclient: No row has the field "levle"\. Did you mean "level"\?\n$/,
  ],
  [0, ['users', 'list', '--fields', 'emial'], /No row has the field "emial"\. Did you mean "email"\?\n$/],
  [
    0,
    ['query', 'a.log', '--template', '{levle} {@timestamp:ms}'],
    /^logclient: No row has the field "levle"\. Did you mean "level"\?\n$/,
  ],
  [
    2,
    ['cost', 'a.log', '--tag', 'type=a', '--tag', 'type=b'],
    /invalid value 'type=b' for --tag\. It must have the form name=value, with each name once\.\n$/,
  ],
  [2, ['query', 'a.log', '-f', 'none.yaml'], /needs a file with one query, and \S+none\.yaml has 0\./],
  [
    2,
    ['saved-queries', 'create', 'x', '*', '--start', 'foo'],
    /invalid value 'foo' for --start\. It must be/,
  ],
  ...[
    ['1d', '2d'],
    ['now', '2 DAYS'],
    ['2026-11-28', '2026-11-27'],
  ].map(
    ([from, to]) =>
      [
        2,
        ['query', '--from', from!, '--to', to!, 'x'],
        /^logclient: --from must be before --to\.\n$/,
      ] as const,
  ),
  [2, ['check', 'a.log'], /unknown command 'check'\. Did you mean lint\?\n$/],
  [2, ['repos', 'list'], /unknown command 'repos'\. Did you mean repositories\?\n$/],
  [2, ['saved-queries', 'run', 'x'], /unknown command 'run'\. Did you mean logclient query\?\n$/],
  [
    2,
    ['tail', '-f', 'a.log'],
    /unknown option '-f'\. Did you mean .* always follows .* logclient query --follow <file>\?\n$/,
  ],
  [2, ['query', '--follow', 'none.log'], /^logclient: there is no file \S+none\.log\. To search/],
  [2, ['search', 'level=error'], /unknown command 'search'\. Did you mean query\?\n$/],
  [
    0,
    ['lint', 'sigma.yaml'],
    /sigma\.yaml is a Sigma rule\. Convert it with pySigma's CrowdStrike backend\.\n/,
  ],
  [2, ['scan', '--ignore', 'nope', 'a.log'], /It must be one of authorization, .*, email\.\n$/],
] as const)('exits with %i and says what is wrong: %j', async (code, words, message) => {
  const paths = words.map((word) => (/\.(?:log|yaml)$/.test(word) ? join(folder, word) : word));
  const run = await runCommand(paths, { env: { ...accessTo(server), LOGSCALE_INGEST_TOKEN: '' } });
  expect(run).toMatchObject({ code, stderr: expect.stringMatching(message) });
});

it('query -o jsonl writes what -o ndjson does', async () => {
  const words = ['query', join(folder, 'a.log'), 'count()', '--numbers', '-o'];
  const run = await runCommand([...words, 'jsonl']);
  expect(run).toEqual({ code: 0, stdout: '{"_count":1}\n', stderr: '' });
  expect(run).toEqual(await runCommand([...words, 'ndjson']));
});

it('query --file runs the query of a YAML file that has one', async () => {
  const run = await runCommand(['query', join(folder, 'a.log'), '-f', join(folder, 'one.yaml')]);
  expect(run).toEqual({ code: 0, stdout: '{"_count":"1"}\n', stderr: '' });
});

it.each([
  ['ingest', 'LOGSCALE_INGEST_TOKEN', 'userToken', /If this is a user token, use an ingest token/],
  ['users', 'LOGSCALE_API_TOKEN', 'ingestToken', /If this is an ingest token, use a user token/],
] as const)(
  '%s with the token of the other kind in %s says which one is needed',
  async (name, variable, token, message) => {
    const words = name === 'ingest' ? ['ingest', join(folder, 'a.log')] : ['users', 'list'];
    const run = await runCommand(words, { env: { LOGSCALE_URL: server.url, [variable]: server[token] } });
    expect(run).toMatchObject({ code: 4, stderr: expect.stringMatching(message) });
  },
);
