import {
  appendFile,
  copyFile,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { LogClient, type LogEvent } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { recordsOf } from '../../../src/tools/settings/line-sources.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { accessTo, hostOf, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

let server: LocalServer;
let folder: string;
let file: string;
beforeEach(async () => {
  server = await startLocalServer();
  folder = await mkdtemp(join(tmpdir(), 'logclient-ingest-'));
  file = join(folder, 'app.log');
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

function clientOf({ url: baseUrl, repository, userToken }: LocalServer): LogClient {
  return new LogClient({ baseUrl, repository, userToken });
}

function rows(queryString = ''): Promise<object[]> {
  return clientOf(server).query(queryString, { start: 0 });
}

function ingestAccess(): Record<string, string> {
  return { LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: server.ingestToken };
}

function ingest(...words: string[]) {
  return runCommand(['ingest', ...words], { env: ingestAccess() });
}

function follow() {
  return startCommand(['ingest', '--follow', file], { env: ingestAccess() });
}

describe('logclient ingest', () => {
  it('ships JSON lines with their fields and times, and other lines as text, with --tag and --field', async () => {
    await writeFile(file, '{"level":"info","time":1700000000123,"a":{"b":1}}\n\nplain text\n{"broken\n');
    const run = await ingest(file, '--tag', 'service=shop', '--field', 'run=7');
    expect(run).toEqual({
      code: 0,
      stdout: '',
      stderr: `logclient: shipped 3 records to ${hostOf(server)}.\n`,
    });
    expect(await rows('#service=shop run=7')).toHaveLength(3);
    expect(await rows('level=info')).toEqual([
      expect.objectContaining({
        '@timestamp': 1_700_000_000_123,
        '@rawstring': '{"level":"info","time":1700000000123,"a":{"b":1}}',
        'a.b': '1',
      }),
    ]);
    expect(await rows('"plain text" or "{\\"broken"')).toHaveLength(2);
  });

  it('restores events that a query returned: queries find the same, whatever form the events had', async () => {
    const original = await startLocalServer();
    onTestFinished(() => original.close());
    const client = clientOf(original);
    const at = (seconds: number): number => Date.UTC(2026, 10, 28, 4, 14, seconds);
    const lines = [
      '2026-11-28 04:14:01,759 WARN slow\n\tat f',
      '{"level":50,"time":1795839241760,"msg":"x","a":[1,{"b.c":"{"}],"@rawstring":7}',
      'ts=2026-11-28T04:14:03Z level=info n=7',
      '{"log":"{\\"level\\":50,\\"time\\":1795839248000,\\"@timestamp\\":1}\\n","stream":"stdout","time":"2026-11-28T04:14:05Z"}',
    ];
    await writeFile(file, lines.join('\n'));
    const tags = ['--tag', 'service=shop', '--tag', 'env=a"b'];
    await runCommand(['ingest', file, ...tags], { env: accessTo(original) });
    await client.ingestMessages([`10.0.0.1 - - [28/Nov/2026:04:14:04 +0000] "GET /?a=b HTTP/1.1" 200 7`], {
      parser: 'accesslog',
    });
    await client.ingestMessages(['no time'], { tags: { service: 'text' } });
    const attributes = {
      n: 1.5,
      'x y': '\u2028',
      '#no': 'tag',
      '@x': 'own',
      empty: '',
      deep: { a: [[null, true]] },
    };
    const events = [
      { timestamp: at(5), timezone: 'Europe/Berlin', attributes },
      { timestamp: '2026-11-28T04:14:06.759123456Z', attributes: {}, rawstring: '' },
      { timestamp: at(7), attributes, rawstring: '日本 "text"' },
    ];
    await client.ingestJsonData([{ tags: { level: '#1' }, events }]);
    const exported = await runCommand(['query', '*', '-o', 'ndjson', '--since', '10y'], {
      env: accessTo(original),
    });
    await writeFile(file, exported.stdout);
    expect(await ingest(file)).toMatchObject({
      code: 0,
      stderr: `logclient: shipped 9 records to ${hostOf(server)}.\n`,
    });
    const ofStore = ['@id', '@ingesttimestamp', '#repo'];
    for (const query of [
      '*',
      '#service=shop',
      'level=error',
      '"x"',
      '#level="#1" | count()',
      'statuscode=200',
    ]) {
      const found = [client, clientOf(server)].map(async (one) => {
        const all = await one.query<Record<string, unknown>>(query, { start: 0 });
        return all.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => !ofStore.includes(name))),
        );
      });
      const [before, after] = await Promise.all(found);
      expect(before!.length).toBeGreaterThan(0);
      expect([query, after]).toEqual([query, before]);
    }
    // A time in another form is read as in other lines.
    await writeFile(file, '{"@timestamp":"2026-11-28T04:14:08Z","@rawstring":"iso","#service":"iso"}\n');
    await ingest(file);
    expect(await rows('#service=iso')).toMatchObject([{ '@timestamp': at(8), '@rawstring': 'iso' }]);
    await writeFile(file, exported.stdout);
    // Tags and fields of flags come first, as for other lines.
    await ingest(file, '--tag', 'service=copy', '--field', 'level=none');
    expect(await rows('#service=copy level=none')).toHaveLength(9);
  });

  it('ships an oversized first line with its fields and tags, truncated and marked', async () => {
    const line = { level: 'info', text: 'x'.repeat(1_200_000) };
    await writeFile(file, `${JSON.stringify(line)}\n{"level":"info","text":"short"}\n`);
    expect(await ingest(file, '--tag', 'service=shop', '-q')).toMatchObject({ code: 0, stderr: '' });
    expect(await rows('#service=shop level=info | select(text)')).toEqual(
      expect.arrayContaining([
        { text: 'short' },
        { text: expect.stringMatching(/^x+… \[cut, 1200000 bytes in all\]$/) },
      ]),
    );
  });

  it('overrides tags and fields of a line with those of --tag and --field', async () => {
    await writeFile(file, '{"#service":"line","run":"line","own":12345678901234567890}\n');
    await ingest(file, '--tag', 'service=flag', '--field', 'run=flag', '-q');
    expect(await rows('#service=flag run=flag')).toHaveLength(1);
    expect(await rows('#service=line or run=line')).toEqual([]);
  });

  it('prints only its summary to stderr in 12 runs of one process', async () => {
    await writeFile(file, '{"n":1}\nline\n');
    for (let run = 0; run < 12; run++) {
      expect((await ingest(file)).stderr).toBe(`logclient: shipped 2 records to ${hostOf(server)}.\n`);
    }
  });

  it.each([
    ['--format hec', ['--format', 'hec'], {}],
    ['LOGSCALE_FORMAT', [], { LOGSCALE_FORMAT: 'hec' }],
  ])('ships to the event collector at LOGSCALE_INGEST_URL with %s', async (_, flags, env) => {
    const { url, ingestToken } = server;
    await writeFile(file, '{"level":"info","time":1700000000123,"n":1.50}\nplain text\n');
    const access = {
      LOGSCALE_INGEST_URL: url,
      LOGSCALE_INGEST_TOKEN: ingestToken,
      LOGSCALE_URL: 'http://127.0.0.1:9',
    };
    const words = ['ingest', file, '--tag', 'service=shop', '--field', 'run=7', ...flags];
    const run = await runCommand(words, { env: { ...access, ...env } });
    expect(run).toEqual({
      code: 0,
      stdout: '',
      stderr: `logclient: shipped 2 records to ${hostOf(server)}.\n`,
    });
    expect(await rows('service=shop run=7')).toHaveLength(2);
    expect(await rows('level=info')).toEqual([
      expect.objectContaining({
        '@timestamp': 1_700_000_000_123,
        '@rawstring': '{"level":"info","time":1700000000123,"n":1.50,"run":"7"}',
      }),
    ]);
    expect(await rows('"plain text"')).toHaveLength(1);
  });

  it('names LOGSCALE_INGEST_URL or LOGSCALE_INGEST_TOKEN if it is missing, invalid or rejected', async () => {
    await writeFile(file, 'line\n');
    const words = ['ingest', file, '--format', 'hec'];
    const env = { LOGSCALE_INGEST_TOKEN: 'wrong-token-0815' };
    expect(await runCommand(words, { env })).toMatchObject({
      code: 2,
      stderr: 'logclient: no address is set for the format "hec". Set LOGSCALE_INGEST_URL.\n',
    });
    const invalid = await runCommand(words, { env: { ...env, LOGSCALE_INGEST_URL: 'splunk' } });
    expect(invalid).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'from LOGSCALE_INGEST_URL does not start with http:// or https://. Add https://',
      ),
    });
    const rejected = await runCommand(words, { env: { ...env, LOGSCALE_INGEST_URL: server.url } });
    expect(rejected).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/rejected the token from LOGSCALE_INGEST_TOKEN/),
    });
    expect(rejected.stderr).not.toContain('wrong-token-0815');
  });

  it('sends nothing to FALCON_BASE_URL, and asks for --format hec with LOGSCALE_INGEST_URL', async () => {
    await writeFile(file, 'line\n');
    const env = {
      FALCON_CLIENT_ID: 'c',
      FALCON_CLIENT_SECRET: 's',
      FALCON_BASE_URL: server.url,
      LOGSCALE_INGEST_TOKEN: 'key',
    };
    for (const flags of [[], ['--format', 'hec']]) {
      expect(await runCommand(['ingest', file, ...flags], { env })).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/--format hec, and set LOGSCALE_INGEST_URL to its address/),
      });
    }
    expect(server.inspect.requests()).toEqual([]);
  });

  it('says that a named profile has no API key for --format hec', async () => {
    await writeFile(file, 'line\n');
    const home = folder;
    await mkdir(join(home, 'logclient'), { recursive: true });
    const profile = `profiles:\n  prod: { url: ${server.url}, token: user-token-1234, repository: r }\n`;
    await writeFile(join(home, 'logclient/config.yaml'), profile);
    const env = { XDG_CONFIG_HOME: home, LOGSCALE_INGEST_TOKEN: 'key' };
    expect(await runCommand(['ingest', file, '--format', 'hec', '-u', 'prod'], { env })).toMatchObject({
      code: 2,
      stderr:
        'logclient: the profile "prod" has no API key for the format "hec". Set LOGSCALE_INGEST_URL and LOGSCALE_INGEST_TOKEN.\n',
    });
  });

  it('rejects an empty --parser', async () => {
    expect(await ingest('--parser', '', file)).toMatchObject({
      code: 2,
      stderr: 'logclient: --parser is empty. Pass the name of a parser.\n',
    });
  });

  it('reads times in seconds and ISO 8601, and a line without one has that of the line before', async () => {
    await writeFile(
      file,
      '{"n":1,"timestamp":1700000000}\n{"n":2,"@timestamp":"2026-01-01T00:00:00Z"}\n{"n":3}',
    );
    await ingest(file, '-q');
    const [one, two, three] = await Promise.all([rows('n=1'), rows('n=2'), rows('n=3')]);
    expect(one).toMatchObject([{ '@timestamp': 1_700_000_000_000 }]);
    expect(two).toMatchObject([{ '@timestamp': Date.UTC(2026, 0, 1) }]);
    expect(three).toMatchObject([{ '@timestamp': Date.UTC(2026, 0, 1) }]);
  });

  it('reads times in any unit like a transport, and keeps unreadable ones as fields', async () => {
    const at = 1_700_000_000_123;
    const times = [at, `"${at}"`, at / 1_000, `${at}456`, `${at}456789`, '"2023-11-14T23:13:20.123+0100"'];
    const odd = ['5', '"2026-02-30T00:00:00Z"', 'null', '-1', '1e300', '"soon"', '[1]'];
    const lines = [...times, ...odd].map((time, n) => `{"n":${n},"timestamp":${time}}\n`);
    await writeFile(file, [...lines, `{"n":"first","@timestamp":"never","time":${at}}\n`].join(''));
    expect(await ingest(file)).toEqual({
      code: 0,
      stdout: '',
      stderr: `logclient: shipped 14 records to ${hostOf(server)}.\n`,
    });
    const found = (await rows('n=*')) as LogEvent[];
    // A line whose time can't be read has that of the line before.
    expect(found.map((row) => row['@timestamp'])).toEqual(lines.map(() => at).concat(at));
    expect(await rows('timestamp="2026-02-30T00:00:00Z"')).toHaveLength(1);
  });

  it.each([3, 300, 600_000])(
    'ships %i bytes that are appended while --only-new finds the end',
    async (bytes) => {
      const line = `${'x'.repeat(bytes - 1)}\n`;
      await writeFile(file, 'old\n'.repeat(100));
      const handle = await open(file);
      const stat = vi.spyOn(Object.getPrototypeOf(handle) as FileHandle, 'stat');
      onTestFinished(() => stat.mockRestore());
      await handle.close();
      stat.mockImplementationOnce(async function (this: FileHandle) {
        stat.mockRestore();
        const stats = await this.stat();
        await appendFile(file, line);
        return stats;
      } as FileHandle['stat']);
      const stop = new AbortController();
      const options = { follow: true, onlyNew: true, signal: stop.signal };
      for await (const lines of recordsOf(file, options, false)) {
        if (lines.length === 0) continue;
        expect(lines.map(({ text }) => text)).toEqual([line.trim()]);
        stop.abort();
      }
    },
  );

  it('keeps a record and its stack together if the writer of a followed file pauses between them', async () => {
    await writeFile(file, '2026-11-29 22:59:59 INFO started\n');
    const handle = await open(file);
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const { read } = prototype;
    const spy = vi.spyOn(prototype, 'read');
    onTestFinished(() => spy.mockRestore());
    let reads = 0;
    let appended = 0;
    spy.mockImplementation(async function (this: FileHandle, ...args: unknown[]) {
      reads += 1;
      if (reads === appended + 4) await appendFile(file, '    at f (a.js:1:2)\n');
      return (read as (...args: unknown[]) => unknown).apply(this, args);
    } as FileHandle['read']);
    const stop = new AbortController();
    const options = { follow: true, onlyNew: false, signal: stop.signal };
    for await (const [record] of recordsOf(file, options, false)) {
      if (record === undefined) continue;
      if (record.text.includes('started')) {
        await appendFile(file, '2026-11-29 23:00:00 ERROR failed\n');
        appended = reads;
        continue;
      }
      expect(record.text).toBe('2026-11-29 23:00:00 ERROR failed\n    at f (a.js:1:2)');
      stop.abort();
    }
    expect(reads).toBeGreaterThan(appended + 4);
  });

  it('splits a line over 8 MiB between characters', async () => {
    const text = '€🎉é'.repeat(1_000_000);
    await writeFile(file, `${text}\n`);
    const { signal } = new AbortController();
    const lines: string[] = [];
    for await (const some of recordsOf(file, { follow: false, onlyNew: false, signal }, false)) {
      lines.push(...some.map((record) => record.text));
    }
    expect(lines).toHaveLength(2);
    expect(lines.join('') === text).toBe(true);
    expect(await ingest(file)).toMatchObject({
      code: 0,
      stderr: `logclient: cut 1 line of more than 8 MiB in ${file} into parts.\nlogclient: shipped 2 records to ${hostOf(server)}.\n`,
    });
  });

  it('ships text with --parser, a user token and a repository', async () => {
    await writeFile(file, 'user=bob action=login\n');
    const { code } = await runCommand(['ingest', '--parser', 'kv', file], { env: accessTo(server) });
    expect(code).toBe(0);
    expect(await rows('user=bob')).toMatchObject([{ action: 'login', '#type': 'kv' }]);
  });

  it.each([
    ['--parser', 'none'],
    ['--text', '-q'],
  ])('ships a stack below its line with %s %s, and other lines as they are', async (...flags) => {
    const records = [
      'time,level,msg',
      '2026-01-01 10:00:00 ERROR order failed\njava.lang.IllegalStateException: no stock\n\tat shop.Order.pay(Order.java:7)',
      '2026-01-01 10:00:01 INFO started',
      '{"log":"a\\n","stream":"stdout","time":"2026-01-01T10:00:02Z"}',
      '{"log":"  b\\n","stream":"stdout","time":"2026-01-01T10:00:03Z"}',
    ];
    await writeFile(file, records.join('\n'));
    expect((await ingest(...flags, file)).code).toBe(0);
    const texts = (await rows()).map((row) => (row as { '@rawstring': string })['@rawstring']);
    expect(texts.toSorted()).toEqual(records.toSorted());
  });

  it('ships all 12,000 lines of a file', async () => {
    await writeFile(
      file,
      Array.from({ length: 12_000 }, (_, n) => `{"n":${n},"time":${1_700_000_000_000 + n}}\n`).join(''),
    );
    expect((await ingest(file)).stderr).toBe(`logclient: shipped 12,000 records to ${hostOf(server)}.\n`);
    expect(await rows('count()')).toEqual([{ _count: '12000' }]);
  });

  it('ships the files of a pattern, also compressed; a damaged one and binary data are failures', async () => {
    await writeFile(file, '{"n":1}\n');
    await writeFile(`${file}.2.gz`, gzipSync('{"n":2}\n'));
    expect(await ingest(`${file}*`)).toMatchObject({
      code: 0,
      stderr: `logclient: shipped 2 records to ${hostOf(server)}.\n`,
    });
    await writeFile(`${file}.3.gz`, gzipSync('{"n":3}\n').subarray(0, 10));
    const damaged = await ingest(file, `${file}.3.gz`);
    expect(damaged).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^logclient: .*damaged.*\nlogclient: shipped 1 record to [\w.:-]+\.\n$/),
    });
    await writeFile(`${file}.4`, Buffer.from('\ufeff{"n":4}', 'utf16le'));
    expect(await ingest(file, `${file}.4`)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^logclient: \S+ is not UTF-8 but UTF-16/),
    });
    expect(await rows('groupBy(n) | sort(n, order=asc)')).toEqual([
      { n: '1', _count: '2' },
      { n: '2', _count: '1' },
    ]);
  });

  it('retries while the service responds with 503, and reports why', async () => {
    await writeFile(file, '{"n":1}\n');
    server.faults.add({ path: 'ingest', status: 503, retryAfter: 0, times: 2 });
    const { code, stderr } = await ingest(file);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^logclient: Records stay queued and are retried: .*status 503.*\nlogclient: Records are delivered again\.\nlogclient: shipped 1 record to [\w.:-]+\.\n$/,
    );
    expect(await rows('n=1')).toHaveLength(1);
  });

  it('exits with 1 if lines are rejected and with 4 if the token is rejected', async () => {
    await writeFile(file, '{"n":1}\n');
    server.faults.add({ path: 'ingest', status: 400, body: 'no such thing', times: 1 });
    expect(await ingest(file)).toMatchObject({ code: 1, stderr: expect.stringMatching(/no such thing\n$/) });
    const wrong = await runCommand(['ingest', file], {
      env: { LOGSCALE_URL: server.url, LOGSCALE_INGEST_TOKEN: 'bad' },
    });
    expect(wrong).toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/\nlogclient: .*rejected the token from LOGSCALE_INGEST_TOKEN.*\n$/),
    });
    expect(await rows()).toEqual([]);
  });

  it.each([
    [['--follow'], /--follow needs files/],
    [['--only-new', 'x'], /--only-new requires --follow/],
    [['/nonexistent/x'], /can't read \/nonexistent\/x: it does not exist/],
    [['--follow', '/nonexistent/x'], /it does not exist\. --follow .* create an empty one first\./],
    [[tmpdir()], /is a directory/],
    [['--tag', 'x', 'f'], /name=value/],
    [['--tag', '#x=y', 'f'], /omit the "#"/],
  ])('rejects %j with exit code 2', async (words, message) => {
    expect(await ingest(...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });

  it.each(['', '\n\n'])(
    'says that %j has no lines, and exits with 0: a program may log nothing',
    async (text) => {
      await writeFile(file, text);
      const stderr = `logclient: shipped 0 records to ${hostOf(server)}: the input has no lines.\n`;
      expect(await ingest(file)).toEqual({ code: 0, stdout: '', stderr });
    },
  );

  it('follows a file that grows, is truncated and is replaced, and exits with 0 on Ctrl-C', async () => {
    await writeFile(file, '{"n":1}\n');
    const cli = follow();
    const arrived = (count: number) => eventually(async () => expect(await rows('n=*')).toHaveLength(count));
    await arrived(1);
    await appendFile(file, '{"n":2}\n{"n":');
    await arrived(2);
    await appendFile(file, '3}\n');
    await arrived(3);
    await rename(file, `${file}.1`);
    await writeFile(file, '{"n":4,"text":"longer than the next line"}\n');
    await arrived(4);
    await writeFile(file, '{"n":5}\n');
    await arrived(5);
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output).toEqual({
      stdout: '',
      stderr: `logclient: shipped 5 records to ${hostOf(server)}.\n`,
    });
  });

  it.each(['create', 'copytruncate'])(
    'ships each line of a file once if it is rotated twice in a row (%s)',
    async (mode) => {
      const rotate = async () => {
        await rename(`${file}.1`, `${file}.2`).catch(() => {});
        if (mode === 'create') await rename(file, `${file}.1`);
        else await copyFile(file, `${file}.1`);
        await writeFile(file, '');
      };
      await writeFile(file, '{"n":"before"}\n');
      await rotate();
      await appendFile(file, '{"n":1}\n');
      const cli = follow();
      const numbers = async () => ((await rows('n=*')) as { n: string }[]).map(({ n }) => n).sort();
      await eventually(async () => expect(await numbers()).toEqual(['1']));
      await appendFile(file, '{"n":2}\n');
      await rotate();
      // As long as the first file.
      await appendFile(file, '{"n":3}\n{"n":4}\n');
      await rotate();
      await appendFile(file, '{"n":5}\n{"n":6}\n');
      await eventually(async () => expect(await numbers()).toEqual(['1', '2', '3', '4', '5', '6']));
      await rotate();
      await appendFile(file, '{"n":7}\n');
      await eventually(async () => expect(await numbers()).toEqual(['1', '2', '3', '4', '5', '6', '7']));
      cli.kill('SIGINT');
      expect(await cli.ended).toBe(0);
      expect(cli.output.stderr).toBe(`logclient: shipped 7 records to ${hostOf(server)}.\n`);
    },
  );

  it('ships lines from a pipe before it is closed', async () => {
    const cli = startCli(['ingest', '-q'], accessTo(server));
    onTestFinished(() => void cli.child.stdin?.destroy());
    cli.child.stdin!.write('{"n":1}\n');
    await eventually(async () => expect(await rows('n=1')).toHaveLength(1));
    cli.child.stdin!.end('{"n":2}');
    expect(await cli.ended).toBe(0);
    expect(await rows('n=2')).toHaveLength(1);
  });
});
