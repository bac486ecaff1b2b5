import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../../helpers/cli-run.ts';

const TOKEN = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';

function fileOf(content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'reports-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'app.log');
  writeFileSync(path, content);
  return path;
}

const LEAKS: readonly (readonly [place: string, record: object])[] = [
  ['the name of a field', { sessions: { [TOKEN]: { active: true, size: 'x'.repeat(200) } } }],
  ['a name with its value', { [`token=${TOKEN}`]: 'x'.repeat(200) }],
  ['a message', { msg: `cloning with ${TOKEN}` }],
  ['a level', { level: TOKEN, msg: 'a' }],
  ['a service', { service: TOKEN, msg: 'a' }],
];
const FORMATS = [[], ['--json'], ['-o', 'csv']];

it.each(LEAKS)('scan, cost and diff never print a secret in %s', async (_, record) => {
  const leaking = fileOf(`${JSON.stringify({ time: 1_700_000_000_000, ...record })}\n`.repeat(3));
  const plain = fileOf(`${JSON.stringify({ time: 1_700_000_000_000, msg: 'started' })}\n`);
  for (const format of FORMATS) {
    for (const args of [
      ['scan', leaking],
      ['cost', leaking],
      ['diff', plain, leaking],
      ['diff', leaking, plain],
    ]) {
      const { stdout, stderr } = await runCommand([...args, ...format]);
      expect(stdout + stderr).not.toBe('');
      expect(stdout + stderr, args[0]).not.toContain(TOKEN.slice(4));
    }
  }
});

it('cost and diff mask a message before they cut it, at any offset of a secret', async () => {
  const lines = Array.from({ length: 320 }, (_, length) =>
    JSON.stringify({ time: 1_700_000_000_000, msg: `${'x'.repeat(length)} ${TOKEN} failed` }),
  );
  const leaking = fileOf(`${lines.join('\n')}\n`);
  for (const args of [
    ['cost', leaking],
    ['diff', fileOf('{"msg":"a"}\n'), leaking],
  ]) {
    const { stdout } = await runCommand([...args, '--json']);
    expect(stdout).toContain('[redacted]');
    expect(stdout).not.toMatch(/x ghp/);
  }
});

it('scan and cost read the files of a pattern, also those in folders', async () => {
  const first = fileOf('{"password":"hunter2"}\n');
  writeFileSync(join(dirname(first), 'b.log'), '{"msg":"plain"}\n');
  for (const [command, count] of [
    ['scan', '1 finding, of 2 records scanned'],
    ['cost', 'for 2 records'],
  ] as const) {
    for (const pattern of ['*.log', '**', '**/*.log']) {
      const { stderr } = await runCommand([command, join(dirname(first), pattern)]);
      expect(stderr).toContain(count);
    }
  }
});

it('scan and cost read a file once that several paths name', async () => {
  const path = fileOf('{"password":"hunter2"}\n');
  const other = `${dirname(path)}/./app.log`;
  symlinkSync(path, join(dirname(path), 'current.log'));
  const names = [path, other, join(dirname(path), '*.log')];
  expect((await runCommand(['scan', ...names])).stderr).toContain('1 finding, of 1 record scanned');
  expect((await runCommand(['cost', ...names])).stderr).toContain('for 1 record.');
});

it('scan, cost and diff reject a folder and name what to pass', async () => {
  for (const args of [
    ['scan', tmpdir()],
    ['cost', tmpdir()],
    ['diff', '/dev/null', tmpdir()],
  ]) {
    const { code, stderr } = await runCommand(args);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`${tmpdir()} is a directory. Pass the files in it: ${tmpdir()}/*`),
    });
  }
});

const READERS = (file: string): string[][] => [
  ['query', file, 'level=error', '--fail-on-match'],
  ['view', file, '--port', '0'],
  ['ingest', file, '--url', 'http://127.0.0.1:9', '--token', 'x', '--repository', 'r'],
  ['scan', file],
  ['cost', file],
  ['diff', file, file],
];

it.each([
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 0, 4], 'xz -d'],
  ['bzip2', [0x42, 0x5a, 0x68, 0x39, 0x31, 0x41, 0x59, 0x26], 'bunzip2'],
])('every command that reads files names the program that decompresses %s', async (name, bytes, command) => {
  const file = fileOf(new Uint8Array(bytes));
  for (const args of READERS(file)) {
    const { code, stderr } = await runCommand(args);
    expect([args, code]).toEqual([args, 2]);
    expect(stderr).toContain(`${file} is compressed with ${name}. Decompress it first: ${command} ${file}`);
  }
});

it('a short log that starts with NULs, and has one in a line, is one for query, scan, cost and diff', async () => {
  const file = fileOf(new TextEncoder().encode(`${'\0'.repeat(300)}{"level":"error","msg":"a"}\nmsg\0b\n`));
  expect((await runCommand(['query', file, 'level=error | count()'])).stdout).toBe('{"_count":"1"}\n');
  expect(await runCommand(['scan', file])).toMatchObject({
    code: 0,
    stderr: `logclient: skipped 301 NUL bytes in ${file}.\nlogclient: no secrets, of 2 records.\n`,
  });
  expect((await runCommand(['cost', file])).stderr).toContain('for 2 records');
  expect((await runCommand(['diff', file, file])).stderr).toContain(
    'no changes between 2 records and 2 records',
  );
});

it('every command that reads files rejects binary files', async () => {
  const binary = fileOf(new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 0, 0, 10]));
  for (const args of READERS(binary)) {
    const { code, stderr } = await runCommand(args);
    expect(code).not.toBe(0);
    expect(stderr).toContain('app.log is not a log: it contains binary data. Pass lines of text in UTF-8.');
  }
});

it('scan rejects a key that is a path, or has no letters and digits', async () => {
  for (const key of ['', ' ', '-', 'user.pin', 'users[*].pin', '*Pin', 'headers["x-tenant-id"]']) {
    const { code, stderr } = await runCommand(['scan', fileOf('a\n'), `--key=${key}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('Keys are names of fields at any depth, not paths.');
  }
});

it.each(['', '\n'])(
  'scan of an input without lines exits with status 2, and cost says that there are none: %j',
  async (stdin) => {
    const hint = 'If it is the result of a query, check that the query finds records: tags start with #.\n';
    expect(await runCommand(['scan', '-'], { stdin })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `logclient: there is nothing to scan: the input has no lines. ${hint}`,
    });
    expect(await runCommand(['cost', '-'], { stdin })).toMatchObject({
      code: 0,
      stderr: `logclient: 0 bytes: the input has no lines. ${hint}`,
    });
  },
);

it('cost counts the raw string and the tags of an event in the result of a query, once', async () => {
  const sent = '{"level":"info","msg":"order placed"}';
  const stored = { '@timestamp': 1_700_000_000_000, '@id': 'x', '@rawstring': sent, '#repo': 'web' };
  const event = { ...stored, '#service': 'shop', level: 'info', msg: 'order placed' };
  const { stdout } = await runCommand(['cost', '-', '--json'], { stdin: `${JSON.stringify(event)}\n` });
  const bytes = sent.length + '@timestamp'.length + 13 + 'serviceshop'.length;
  expect(JSON.parse(stdout)[0]).toMatchObject({ by: 'total', bytes });
  expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ by: 'service', name: 'shop', bytes }));
});
