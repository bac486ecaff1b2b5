import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { CLI_FILE, startCli } from '../../helpers/cli-process.ts';
import { accessTo, type CliRun, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

const BEGIN = Date.UTC(2026, 0, 1, 10);
let server: LocalServer;

beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  const events = Array.from({ length: 450 }, (_, index) => ({
    timestamp: BEGIN + index * 1000,
    attributes: { level: index % 3 === 0 ? 'error' : 'info', n: index, msg: `message ${index}` },
  }));
  await client.ingestJsonData([{ tags: { service: 'shop' }, events }]);
});
afterAll(() => server.close());

function query(...words: string[]): Promise<CliRun> {
  return runCommand(['query', '--from', String(BEGIN), '--to', '2026-01-01T11:00Z', ...words], {
    env: accessTo(server),
  });
}

describe('logclient query', () => {
  it('writes all events to a pipe as NDJSON, newest first, and nothing to stderr', async () => {
    const { code, stdout, stderr } = await query();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { n: string });
    expect(rows.map(({ n }) => Number(n))).toEqual(Array.from({ length: 450 }, (_, index) => 449 - index));
  });

  it('writes at most --limit rows, with the fields of --fields in that order', async () => {
    expect((await query('--limit', '2', '--fields', 'n,level')).stdout).toBe(
      '{"n":"449","level":"info"}\n{"n":"448","level":"info"}\n',
    );
    expect((await query('--limit', '203', '-o', 'raw', '--fields', 'n')).stdout.split('\n')).toHaveLength(
      204,
    );
  });

  it('writes the columns of an aggregate in the order of the query', async () => {
    const { stdout } = await query('groupBy([level, #service], function=[max(n), count()])', '-o', 'csv');
    expect(stdout).toBe('level,#service,_max,_count\nerror,shop,447,150\ninfo,shop,449,300\n');
  });

  it('writes a single value without its field name with -o raw', async () => {
    expect((await query('count()', '-o', 'raw')).stdout).toBe('450\n');
  });

  it.each([
    ['level=?level | count()', 'level=error', ''],
    ['level=?{level=info} | $"saved"() | count()', 'x=y', /no saved query/i],
    ['level=?level | count()', 'levle=x', /--param: .* no parameter "levle"\. Did you mean "level"\?\n$/],
    [
      'level=?level n=?n | count()',
      'level=error',
      /: the parameter "n" has no value, so it .* any value\.\n$/,
    ],
  ])('checks the parameters of %s with --param %s', async (text, param, problem) => {
    const { stdout, stderr } = await query(text, '-o', 'raw', '--param', param);
    expect(stdout).toBe(param === 'level=error' ? '150\n' : '');
    if (problem === '') expect(stderr).toBe('');
    else expect(stderr).toMatch(problem);
  });

  it.each(['select(n)', '@id := n', '@id!="none" | select([@timestamp, @id, n])'])(
    'writes all 450 rows of a query, whether it can be paged or not: %s',
    async (step) => {
      const { code, stdout } = await query(step, '-o', 'raw');
      expect(code).toBe(0);
      expect(stdout.trimEnd().split('\n')).toHaveLength(450);
    },
  );

  it('prints aggregates as a table with bars, and events as lines, on a terminal', async () => {
    const env = { ...accessTo(server), NO_COLOR: '1' };
    const words = ['query', '--from', String(BEGIN), '--timezone', 'UTC'];
    const table = await runCommand([...words, 'groupBy(level)'], { env, terminal: 60 });
    expect(table.stdout).toBe(
      [
        'level  _count',
        `─────  ──────  ${'─'.repeat(20)}`,
        `error     150  ${'█'.repeat(10)}`,
        `info      300  ${'█'.repeat(20)}`,
        '',
      ].join('\n'),
    );
    const lines = await runCommand([...words, '--limit', '1'], { env, terminal: 80 });
    expect(lines.stdout).toBe('2026-01-01 10:07:29.000  info   shop  message 449  n=449\n');
    for (const [zone, time] of [
      ['BST', '10:07:29'],
      ['+02:00', '12:07:29'],
      ['-0100', '09:07:29'],
      ['+00', '10:07:29'],
    ] as const) {
      const inZone = [...words.slice(0, 3), '--timezone', zone, '--limit', '1'];
      const { stdout } = await runCommand(inZone, { env, terminal: 80 });
      expect(stdout).toBe(lines.stdout.replace('10:07:29', time));
    }
  });

  it('prints colors on a terminal, and in a pipe only with --color always', async () => {
    const terminal = await runCommand(['query', '--from', String(BEGIN), '-n', '1'], {
      env: accessTo(server),
      terminal: 80,
    });
    expect(terminal.stdout).toContain('\u001b[32minfo');
    expect((await query('groupBy(level)', '-o', 'table', '--color', 'always')).stdout).toContain('\u001b[1m');
    expect((await query('groupBy(level)', '-o', 'table')).stdout).not.toContain('\u001b');
  });

  it.each([
    ['level=fatal', '--fail-on-empty', 1],
    ['level=fatal | count()', '--fail-on-empty', 1],
    ['level=error', '--fail-on-empty', 0],
    ['level=error', '--fail-on-match', 1],
    ['level=error | count()', '--fail-on-match', 1],
    ['level=fatal', '--fail-on-match', 0],
    ['level=fatal | count()', '--fail-on-match', 0],
  ])('%s with %s exits with %i', async (text, flag, expected) => {
    const { code, stderr } = await query(text, flag);
    expect(code).toBe(expected);
    expect(stderr).toMatch(expected === 0 ? /^$/ : new RegExp(`^logclient: ${flag}: .*\\n$`));
  });

  it('exits with --fail-code if a condition is met, and with another status if the query fails', async () => {
    const flags = ['--fail-on-match', '--fail-code', '10'];
    expect(await query('level=error', ...flags)).toMatchObject({ code: 10 });
    expect(await query('level=fatal', ...flags)).toMatchObject({ code: 0 });
    expect(await query('level=fatal', '--fail-on-empty', '--fail-code', '10')).toMatchObject({ code: 10 });
    expect(await query('nothing(', ...flags)).toMatchObject({ code: 1 });
  });

  it.each([
    [['a', 'AND', 'b'], /a is not a file\. .*'a AND b'\n/],
    [['--since', '1h'], /--since and --from can't be combined/],
    [['--since', 'soon'], /It must be a relative time/],
    [['--output', 'xml'], /Allowed choices are table, pretty, raw/],
    [['--json', '-o', 'csv'], /--json and --output csv can't be combined/],
    [['-o', 'template'], /requires --template/],
    [['--template', '{x'], /unmatched "\{"/],
    [['--fail-on-empty', '--fail-on-match'], /can't be combined/],
    [['--fail-code', '10'], /requires --fail-on-empty or --fail-on-match/],
    [['--limit', '0'], /It must be a whole number of at least 1/],
    [['--param', 'x'], /It must have the form name=value/],
    [['--timezone', 'Mars'], /a time zone name/],
    [['x', '--file', 'y'], /a query argument and --file can't be combined/],
    [['--lmit', '3'], /unknown option '--lmit'. Did you mean --limit\?/],
  ])('rejects %j with exit code 2 and a one-line message', async (words, message) => {
    const { code, stdout, stderr } = await query(...words);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^logclient: [^\n]*\n$/);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('marks the error in a query with carets', async () => {
    expect(await query('level=error | cuont()')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'logclient: the service rejected the query. There is no function "cuont". Did you mean "count"? (line 1, column 15)\n' +
        '1 | level=error | cuont()\n  |               ^^^^^\n',
    });
  });

  it('prints no error and leaves no query job when the reader closes the pipe', async () => {
    const child = spawn(
      '/bin/sh',
      [
        '-c',
        `"$0" "$1" query --from ${BEGIN} | head -n 1; "$0" "$1" query --from ${BEGIN} -n 1 -o raw > /dev/null`,
        process.execPath,
        CLI_FILE,
      ],
      {
        env: { PATH: process.env.PATH, HOME: '/nonexistent', ...accessTo(server) },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => (texts.stdout += data));
    child.stderr.on('data', (data) => (texts.stderr += data));
    expect(await once(child, 'close')).toEqual([0, null]);
    expect(texts.stderr).toBe('');
    expect(texts.stdout).toMatch(/^\{.*\}\n$/);
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('deletes its query job and exits with 130 on Ctrl-C', async () => {
    const slow = server.faults.add({ path: '/queryjobs/', notDone: true });
    onTestFinished(() => slow.remove());
    const cli = startCommand(['query', '--from', String(BEGIN), 'count()'], { env: accessTo(server) });
    await eventually(() => expect(server.inspect.jobs()).toHaveLength(1));
    await expect.poll(() => slow.hits).toBeGreaterThan(0);
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(130);
    expect(cli.output).toEqual({ stdout: '', stderr: '' });
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });
});

describe('logclient query --stdin', () => {
  it.each(['--stdin', '-'])('queries lines from a pipe without a service or settings: %s', async (stdin) => {
    const lines =
      '{"level":"error","service":"a"}\n{"level":"info","service":"a"}\nplain\n{"level":"error","service":"b"}';
    expect(await runCommand(['query', stdin, 'level=error | groupBy(service)'], { stdin: lines })).toEqual({
      code: 0,
      stdout: '{"service":"a","_count":"1"}\n{"service":"b","_count":"1"}\n',
      stderr: '',
    });
  });

  it('prints each event as it arrives, and exits at --limit while the pipe is still open', async () => {
    const cli = startCli(['query', '--stdin', 'level=error', '-n', '2', '--template', '{msg}']);
    cli.child.stdin!.write('{"level":"error","msg":"one"}\n');
    await eventually(() => expect(cli.output.stdout).toBe('one\n'));
    cli.child.stdin!.write('{"level":"error","msg":"two"}\n');
    expect(await cli.ended).toBe(0);
    expect(cli.output).toEqual({ stdout: 'one\ntwo\n', stderr: '' });
  });
});
