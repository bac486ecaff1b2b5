import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';

const FLAGS = ['-o', 'ndjson', '--fields', 'step,eventsIn,eventsOut'];

function rowsOf(stdout: string): unknown[] {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

it('logclient explain counts events per step with --stdin, even if a comment ends the query', async () => {
  const words = ['explain', '--stdin', 'error | count() // all', ...FLAGS];
  const { code, stdout } = await runCommand(words, { stdin: 'error one\ninfo two\nerror three\n' });
  expect(code).toBe(0);
  expect(rowsOf(stdout)).toEqual([
    { step: 'error', eventsIn: 3, eventsOut: 2 },
    { step: 'count()', eventsIn: 2, eventsOut: 1 },
  ]);
});

it('logclient explain counts events per step on the server', async () => {
  await using server = await startLocalServer();
  const client = new LogClient({
    baseUrl: server.url,
    repository: server.repository,
    userToken: server.userToken,
  });
  const event = (level: string) => ({ timestamp: Date.now(), attributes: { level } });
  await client.ingestJsonData([{ events: [event('error'), event('error'), event('info')] }]);
  const { code, stdout } = await runCommand(['explain', 'level=error | x := 1', ...FLAGS], {
    env: accessTo(server),
  });
  expect(rowsOf(stdout)).toEqual([
    { step: 'level=error', eventsIn: 3, eventsOut: 2 },
    { step: 'x := 1', eventsIn: 2, eventsOut: 2 },
  ]);
  expect(code).toBe(0);
});

it.each([
  ['query', 'name=cmd.exe', /^no lines match, of 2 lines\nno event passes this step: name=cmd\.exe\n/],
  [
    'query',
    'name=cmd.exe',
    /No line has "cmd\.exe", but "CMD\.EXE"\. To ignore case, write name=\/\^cmd\\\.exe\$\/i\n$/,
  ],
  ['query', 'x or ERROR', /No line has "ERROR", but "error"\. To ignore case, write \/ERROR\/i\n$/],
  ['query', 'level=50', /No line has level=50\. Levels are stored as labels: level=error\n$/],
  ['query', 'level=eror', /No line has level=eror\. Levels are stored as labels: level=error\n$/],
  ['query', 'invoice not here | count()', /To find this text, quote it: "invoice not here"\n$/],
  ['query', 'nmae=*', /No line has the field "nmae"\. Did you mean "name"\?\n$/],
  ['query', 'levelNumber=50', /No line has the field "levelNumber"\. Did you mean "level"\?\n$/],
  ['query', 'groupBy(nmae)', /^No line has the field "nmae"\. Did you mean "name"\?\n$/],
  [
    'query',
    'sum(level)',
    /"level" is never a number here, only text such as "error": sum\(level\) finds nothing/,
  ],
  ['query', '* | x := 1 | x = 2 | count()', /no event passes this step: x=2\n$/],
  [
    'explain',
    'name=cmd.exe | count()',
    /no event passes this step: name=cmd\.exe\nNo line has "cmd\.exe", but/,
  ],
])('logclient %s says on a terminal why %s finds nothing in lines', async (command, query, message) => {
  const stdin = '{"name":"CMD.EXE","level":"error"}\n{"name":"a"}\n';
  const { stderr } = await runCommand([command, '--stdin', query], { stdin, terminal: 100 });
  expect(stderr).toMatch(message);
});

it('logclient query names the times of lines that are all outside of the time range', async () => {
  const stdin =
    '2026-02-03T10:00:00Z ERROR no\n\tat a (b.js:1:2)\n\tat c (d.js:1:2)\n2026-02-03T09:00:00Z INFO a\n';
  const words = ['query', '--stdin', '*', '--to', '2026-02-01T00:00:00Z', '--timezone', 'UTC'];
  const { stderr } = await runCommand(words, { stdin, terminal: 100 });
  expect(stderr).toBe(
    'all 2 lines are outside of the time range: they are from 2026-02-03 09:00:00.000 to 2026-02-03 10:00:00.000\n',
  );
  const folder = mkdtempSync(join(tmpdir(), 'logclient-explain-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'app.log');
  writeFileSync(file, 'started\n');
  const old = await runCommand(['query', file, ...words.slice(2)], { terminal: 100 });
  expect(old.stderr).toContain('time range: no line has a time, so they have that of the file: 20');
});

it.each([
  ['{"severity":"ERROR"}', 'No line has the field "level". Did you mean "severity"?', 'severity'],
  ['{"LogLevel":"Error"}', 'No line has the field "level". Did you mean "LogLevel"?', 'LogLevel'],
])('logclient query names the field with the level: %s', async (stdin, field, name) => {
  const { stderr } = await runCommand(['query', '--stdin', 'level=error'], { stdin, terminal: 100 });
  expect(stderr.split('\n').slice(-3)).toEqual([
    field,
    expect.stringMatching(new RegExp(`To ignore case, write ${name}=/\\^error\\$/i$`)),
    '',
  ]);
});

it('logclient query reports an input without lines, also to a pipe and with a condition, but not with --quiet', async () => {
  const words = ['query', '--stdin', 'level=error', '--fail-on-match'];
  const { code, stderr } = await runCommand(words, { stdin: '' });
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'the input has no lines\n' });
  expect((await runCommand([...words, '--quiet'], { stdin: '' })).stderr).toBe('');
});

it('logclient explain exits with 2 if no query is given', async () => {
  const { code, stderr } = await runCommand(['explain']);
  expect(stderr).toContain('no query given');
  expect(code).toBe(2);
});
