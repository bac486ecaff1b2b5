import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { looksLikePath } from '../../../src/tools/query/file-arguments.ts';
import { CLI_FILE, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { plainLine } from '../../helpers/plain-line.ts';

const IGNORED = 'logclient: stdin is ignored. To query its lines, pass --stdin.\n';

let server: LocalServer;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  await client.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes: { from: 'server' } }] }]);
  folder = await mkdtemp(join(tmpdir(), 'logclient-source-'));
  file = join(folder, 'app.log');
  await writeFile(file, '{"level":"error","from":"file"}\n{"level":"info","from":"file"}\n');
  await writeFile(join(folder, 'error'), 'one\ntwo\n');
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(ownFolder);
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a line in the folder, in a shell if it needs one. `lc` is the command. */
async function result(line: string) {
  const env = { HOME: folder, NO_COLOR: '1', ...accessTo(server) };
  const plain = plainLine(line);
  if (plain !== undefined && plain.stdin === undefined) return runCommand(plain.words, { env });
  const { child, ended, output } = startProcess(
    'bash',
    ['-c', `lc() { '${process.execPath}' '${CLI_FILE}' "$@"; }; ${line}`],
    { cwd: folder, env: { PATH: process.env.PATH, LOGCLIENT_DISCOVERY: 'off', ...env } },
  );
  child.stdin!.end();
  return { code: await ended, ...output };
}

const FORMAT = "--template '{from}'";
const ownFolder = process.cwd();

describe('The path of a missing file', () => {
  it.each(['none.log', './none.ndjson', 'logs/none.txt', './logs/none', "'logs/*.log'"])(
    'is reported when it is searched as text, and fails a gate: %s',
    async (path) => {
      const name = path.replaceAll("'", '');
      const note = `logclient: there is no file ${name}; searching for this text.\n`;
      const failure = `logclient: there is no file ${name}. To search for this text, pass '"${name}"'.\n`;
      const gate = 'lc query --fail-on-match';
      expect(await result(`lc query ${path}`)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining(note),
      });
      expect(await result(`lc query ${path} -q`)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(await result(`${gate} ${path}`)).toEqual({ code: 2, stdout: '', stderr: failure });
      expect(await result(`${gate} ${path} -q`)).toEqual({ code: 2, stdout: '', stderr: failure });
      expect(await result(`lc query --fail-on-empty app.log b.log`)).toMatchObject({ code: 2 });
      expect(await result(`${gate} '"${name}"'`)).toEqual({ code: 0, stdout: '', stderr: '' });
    },
  );

  it.each([
    ['logs/none', true],
    ['/var/log/none', true],
    ['/none/i', false],
    ['url=/none', false],
    ['GET /none', false],
    ['none', false],
  ])('fails a gate if it has a slash and is no filter: %s', (word, isPath) => {
    expect(looksLikePath(word, true)).toBe(isPath);
    expect(looksLikePath(word)).toBe(false);
  });
});

describe('Compressed lines on stdin', () => {
  const zipped = (): Buffer => gzipSync('{"level":"error"}\n{"level":"info"}\n'.repeat(10));

  it.each([[['query', '-']], [['query', '--stdin']]])('are decompressed: %j', async (command) => {
    const words = [...command, 'level=error | count()', '-o', 'ndjson'];
    expect(await runCommand(words, { stdin: Readable.from([zipped()]) })).toEqual({
      code: 0,
      stdout: '{"_count":"10"}\n',
      stderr: '',
    });
  });

  it('are an error if they are damaged', async () => {
    const stdin = Readable.from([zipped().subarray(0, 30)]);
    const { code, stderr } = await runCommand(['query', '-'], { stdin });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("can't decompress stdin") });
  });
});

describe('A second file without a dot or a slash in its name', () => {
  it('is searched as text, and a note says how to read it', async () => {
    const note = 'logclient: searching for the text error. To read the file, pass ./error\n';
    expect(await result('lc query app.log error')).toEqual({
      code: 0,
      stdout: expect.any(String),
      stderr: note,
    });
    const { code, stderr } = await result("lc query app.log error 'count()'");
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'logclient: error is read as the query. To read the file, pass ./error\n',
    });
  });
});

describe('A file as the first word', () => {
  it.each([
    [`lc query app.log ${FORMAT}`, 'file\nfile\n'],
    [`lc query ./app.log 'level=error' ${FORMAT}`, 'file\n'],
    [`lc query app.log -f <(echo 'level=error') ${FORMAT}`, 'file\n'],
    [`lc query <(cat app.log) 'level=error' ${FORMAT}`, 'file\n'],
    ["lc explain app.log 'level=error' --template '{step} {eventsIn}'", 'level=error 2\n'],
  ])('is queried without a server: %s', async (line, stdout) => {
    expect(await result(line)).toEqual({ code: 0, stdout, stderr: '' });
  });

  it('is queried without Intl, whose first use takes 20 ms', async () => {
    const trap = `
      const fail = () => { throw new Error('Intl is used'); };
      for (const name of Object.getOwnPropertyNames(Intl)) Object.defineProperty(Intl, name, { get: fail });
      Number.prototype.toLocaleString = fail;`;
    await writeFile(join(folder, 'trap.cjs'), trap);
    expect(await result("NODE_OPTIONS='--require ./trap.cjs' lc query app.log 'count()' -o ndjson")).toEqual({
      code: 0,
      stdout: '{"_count":"2"}\n',
      stderr: '',
    });
  });

  it('with the name of a word is queried with a note about how to search for the word', async () => {
    expect(await result('lc query error -o raw')).toEqual({
      code: 0,
      stdout: 'one\ntwo\n',
      stderr: `logclient: reading the file error. To search for this text instead, pass '"error"'.\n`,
    });
    expect((await result('lc query \'"error"\' -o raw')).stdout).toBe('');
  });

  it.each([
    [['query', 'FILE', 'a', '--fields', 'b', 'c'], /write --fields without spaces: --fields b,c\..*'a c'/],
    [['query', 'nope.log', 'level=error'], /nope\.log is not a file\. .*'nope\.log level=error'/],
    [['query', '/tmp/'], /\/tmp\/ is a directory\. To query its files, pass '\/tmp\/\*'\n/],
    [['query', '/tmp/', 'level=error'], /\/tmp\/ is a directory\. To query its files, pass '\/tmp\/\*'\n/],
    [['query', 'FILE', '--live'], /the file .* and --live can't be combined/],
    [['query', 'FILE', '--stdin'], /the file .* and --stdin can't be combined/],
    [['query', '-', 'FILE'], /the file .* and --stdin can't be combined/],
    [['query', '-', 'count()', '--live'], /--live and --stdin can't be combined/],
    [['query', 'FILE', 'a', '-f', 'b'], /a query argument and --file can't be combined/],
    [['tail', 'FILE'], /app\.log is a file\. .*logclient view --follow/],
    [['validate', 'FILE'], /app\.log is a file\. .*pass --file/],
  ])('is rejected in %j', async (words, message) => {
    const given = words.map((word) => (word === 'FILE' ? file : word));
    const run = await runCommand(given, { env: accessTo(server) });
    expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });
});

describe('Stdin without --stdin', () => {
  it.each([
    ['a pipe', '', 'cat app.log | lc query none=1'],
    ['a pipe, and events match', 'server\n', `cat app.log | lc query ${FORMAT}`],
    ['a pipe of explain', 'server\n', "cat app.log | lc explain 'from=*' --template server"],
    ['a redirected file', '1\n', "lc query 'count()' --template '{_count}' < app.log"],
    ['a pipe that stays open', '', 'mkfifo open; exec 9<>open; lc query none=1 < open'],
  ])('is reported and not read if it is %s', async (_, stdout, line) => {
    expect(await result(line)).toEqual({ code: 0, stdout, stderr: expect.stringContaining(IGNORED) });
  });

  it('is reported without a token, too', async () => {
    const { code, stderr } = await result('LOGSCALE_TOKEN= lc query none=1 < app.log');
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining(IGNORED) });
  });

  it('is not read, so that a loop gets all its lines', async () => {
    const line = `printf 'a\\nb\\nc\\n' | while read -r x; do lc query ${FORMAT}; echo "$x"; done`;
    const stdout = 'server\na\nserver\nb\nserver\nc\n';
    expect(await result(line)).toMatchObject({ stdout, stderr: IGNORED.repeat(3) });
  });

  it.each([
    `lc query ${FORMAT} < /dev/null`,
    `lc query -f - ${FORMAT} < <(echo 'from=server')`,
    `cat app.log | lc query -q ${FORMAT}`,
  ])('is not reported without input, if it has the query, and with -q: %s', async (line) => {
    expect(await result(line)).toEqual({ code: 0, stdout: 'server\n', stderr: '' });
  });

  it('is reported by tail', async () => {
    const { stderr } = await result('cat app.log | lc tail --limit 1');
    expect(stderr).toContain('stdin is ignored. To query its lines, use "logclient query --stdin".');
  });
});

describe('The path - is stdin for', () => {
  it.each([
    [`lc query - 'level=error' ${FORMAT}`, /^file\n$/],
    ["lc explain - 'level=error' --template '{eventsIn}'", /^3\n$/],
    ["lc scan - --template '{field}'", /^token\n$/],
    ["lc cost - --template '{by} {name}'", /^level error$/m],
    ["lc diff - app.log --template '{change}'", /gone/],
    ["lc diff app.log - --template '{change}'", /new/],
    ['lc ingest -', /^$/],
  ])('%s', async (line, stdout) => {
    const text = `${await readFile(file, 'utf8')}{"level":"warn","token":"x7Kq2Lw9Rt4Bn8Zc"}\n`;
    const run = await runCommand(plainLine(line)!.words, { env: accessTo(server), stdin: text });
    expect(run.stdout, run.stderr).toMatch(stdout);
    expect(run.stderr).not.toContain('no file');
    expect(run.code).toBe(/ (scan|diff) /.test(line) ? 1 : 0);
  });
});

describe('A lookup file of a query of lines', () => {
  it('is the one of --lookup with the name in the query', async () => {
    await writeFile(join(folder, 'levels.csv'), 'level,owner\nerror,ops\n');
    const query = `'match(file="levels.csv", field=level)' --template '{from} {owner}'`;
    const found = { code: 0, stdout: 'file ops\n', stderr: '' };
    expect(await result(`lc query app.log --lookup ${folder}/levels.csv ${query}`)).toEqual(found);
    const missing = await result(`lc query app.log ${query}`);
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no lookup file "levels.csv"'),
    });
    expect(missing.stderr).toContain('Pass the path of the file with --lookup.');
    expect(await result(`lc query app.log --lookup none.csv ${query}`)).toMatchObject({ code: 2 });
    expect(await result(`lc query --lookup levels.csv ${query}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('use "logclient files upload"'),
    });
  });
});
