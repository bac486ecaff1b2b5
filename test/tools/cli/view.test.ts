import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLocalServer } from '../../../src/server/index.ts';
import { LineQuery } from '../../../src/server/line-query/index.ts';
import { LineReader } from '../../../src/tools/cli/view/line-reader.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { type RunningCommand, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';
import { cases } from '../../helpers/laws.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-view-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let fileCount = 0;

async function fileOf(text: string): Promise<string> {
  const file = join(folder, `app-${fileCount++}.log`);
  await writeFile(file, text);
  return file;
}

const TIME = Date.parse('2026-11-20T10:00:00Z');

/** The link in the output of the command. */
async function linkOf({
  output,
}: Pick<RunningCommand, 'output'>): Promise<{ origin: string; state: URLSearchParams }> {
  await eventually(() => expect(output.stdout).toContain('Ctrl-C'));
  const url = new URL(/^ {2}page +(\S+)/m.exec(output.stdout)![1]!);
  return { origin: url.origin, state: new URLSearchParams(url.hash.slice(1)) };
}

async function messagesOf(view: Pick<RunningCommand, 'output'>, queryString = ''): Promise<string[]> {
  const { origin, state } = await linkOf(view);
  const response = await fetch(`${origin}/api/v1/repositories/${state.get('repo')}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${state.get('token')}`, accept: 'application/x-ndjson' },
    body: JSON.stringify({ queryString, start: 0, end: Date.now() + 86_400_000 }),
  });
  const lines = (await response.text()).split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { '@rawstring': string })['@rawstring']).sort();
}

describe('logclient view', () => {
  it('serves the lines of a pino log file with their levels, and exits with 0 on Ctrl-C', async () => {
    const lines = [30, 50, 50].map((level, n) => JSON.stringify({ level, time: TIME + n, msg: `m${n}` }));
    const view = startCommand(['view', await fileOf(lines.join('\n')), '--port', '0']);
    const { state } = await linkOf(view);
    expect(Object.fromEntries(state)).toEqual({
      token: expect.stringMatching(/.{40}/),
      repo: 'app-0.log',
      start: 'all',
      file: expect.stringMatching(/\/app-0\.log$/),
      live: 'off',
    });
    expect(await messagesOf(view, 'level=error')).toEqual(lines.slice(1));
    await eventually(() =>
      expect(view.output.stderr).toMatch(/^logclient: read 3 records from .*app-0\.log\.\n$/),
    );
    view.kill('SIGINT');
    expect(await view.ended).toBe(0);
  });

  it('serves the lines of stdin as they arrive, and keeps running after the last one', async () => {
    const view = startCli(['view', '--port', '0']);
    await eventually(() => expect(view.output.stderr).toContain('waiting for the first line of stdin'));
    view.child.stdin!.write('one\n');
    const { state } = await linkOf(view);
    expect([state.has('live'), state.has('stream')]).toEqual([false, false]);
    expect(await messagesOf(view)).toEqual(['one']);
    view.child.stdin!.write('two\n');
    await eventually(async () => expect(await messagesOf(view)).toEqual(['one', 'two']));
    view.child.stdin!.end('three');
    await eventually(async () => expect(await messagesOf(view)).toEqual(['one', 'three', 'two']));
    await eventually(() =>
      expect(view.output.stderr).toContain('read 3 records from stdin, 3 without a time.'),
    );
    expect(view.child.exitCode).toBeNull();
  });

  it('follows several files with --follow and tags each line with its file', async () => {
    const [first, second] = [await fileOf('a1\n'), await fileOf('b1\n')];
    const view = startCommand(['view', '--follow', first, second, '--port', '0']);
    await eventually(async () => expect(await messagesOf(view)).toEqual(['a1', 'b1']));
    await appendFile(first, 'a2\n');
    const tag = `#file="${first.slice(folder.length + 1)}"`;
    await eventually(async () => expect(await messagesOf(view, tag)).toEqual(['a1', 'a2']));
  });

  it('opens the page on the newest lines of a large file, while a live query counts the rest', async () => {
    const padding = 'x'.repeat(1000);
    const lines = Array.from({ length: 20_000 }, (_, n) => `{"time":${TIME + n},"msg":"m${n} ${padding}"}`);
    const view = startCommand(['view', await fileOf(lines.join('\n')), '--port', '0']);
    const { origin, state } = await linkOf(view);
    expect(view.output.stderr).not.toContain('read 20,000 records');
    expect([state.has('live'), state.get('stream')]).toEqual([false, 'off']);
    const jobs = `${origin}/api/v1/repositories/${state.get('repo')}/queryjobs`;
    const headers = { authorization: `Bearer ${state.get('token')}`, 'content-type': 'application/json' };
    const body = JSON.stringify({
      queryString: '[min(time), max(time), count()]',
      start: '1y',
      isLive: true,
    });
    const { id } = (await (await fetch(jobs, { method: 'POST', headers, body })).json()) as { id: string };
    const result = async () => {
      const { events } = (await (await fetch(`${jobs}/${id}`, { headers })).json()) as { events: object[] };
      return events[0];
    };
    await eventually(async () => expect(await result()).toMatchObject({ _max: String(TIME + 19_999) }));
    await eventually(() => expect(view.output.stderr).toContain('read 20,000 records'));
    await eventually(async () =>
      expect(await result()).toEqual({ _min: String(TIME), _max: String(TIME + 19_999), _count: '20000' }),
    );
  });

  it('rejects requests without its token', async () => {
    const view = startCommand(['view', await fileOf('secret\n'), '--port', '0']);
    const { origin, state } = await linkOf(view);
    const response = await fetch(`${origin}/api/v1/repositories/${state.get('repo')}/query`, {
      method: 'POST',
    });
    expect(response.status).toBe(401);
  });

  it('reads the files of a pattern, and tags lines with paths if files have the same name', async () => {
    for (const name of ['one', 'two']) {
      await mkdir(join(folder, 'apps', name), { recursive: true });
      await writeFile(join(folder, 'apps', name, 'app.log'), `${name}\n`);
    }
    const view = startCommand(['view', join(folder, 'apps/*/app.log'), '--port', '0']);
    expect(await messagesOf(view)).toEqual(['one', 'two']);
    expect(await messagesOf(view, `#file="${join(folder, 'apps/two/app.log')}"`)).toEqual(['two']);
  });

  it('names the flag if its port is in use', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    const { port } = new URL(server.url);
    expect(await runCommand(['view', await fileOf('a\n'), '--port', port])).toEqual({
      code: 1,
      stdout: '',
      stderr: `logclient: port ${port} on 127.0.0.1 is in use. Set --port to another one; 0 picks a free one.\n`,
    });
  });

  it.each([
    [['view', 'nowhere.log'], /^logclient: can't read nowhere\.log: it does not exist\.\n$/, 2],
    [['view', tmpdir()], /is a directory\. Pass the files in it: \/.*\/\*\n$/, 2],
    [['view', '--follow', '-'], /^logclient: --follow needs files\./, 2],
    [['view', 'a.log', '--port', 'x'], /^logclient: invalid value 'x' for --port\./, 2],
  ] as const)('rejects %j with exit code 2 and a one-line message', async (words, message, code) => {
    const run = await runCommand(words);
    expect(run).toEqual({ code, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('exits with 1 for a file without lines', async () => {
    const { code, stderr } = await runCommand(['view', await fileOf('\n \n'), '--port', '0']);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/app-\d+\.log has no lines\.\n$/),
    });
  });
});

describe('Lines of logclient view', () => {
  /** Fields that the server adds to every event, and those that only queries on a server have. */
  const OF_SERVER = ['@id', '@ingesttimestamp', '@timezone', '#repo', '#type', '@timestamp.nanos'];

  async function eventsOf(text: string): Promise<Record<string, string>[]> {
    await using server = await startLocalServer({ listen: false });
    const reader = new LineReader(server, { follow: false, signal: new AbortController().signal });
    await reader.read([await fileOf(text)]);
    return server.inspect
      .events()
      .map((event) =>
        Object.fromEntries(Object.entries(event).filter(([name]) => !OF_SERVER.includes(name))),
      );
  }

  async function rowsOf(text: string): Promise<Record<string, string>[]> {
    const rows: Record<string, string>[] = [];
    for await (const batch of new LineQuery('').run([text])) {
      for (const row of batch) {
        const fields = Object.entries(row).map(([name, value]) => [name, String(value)] as const);
        rows.push(Object.fromEntries(fields.filter(([name]) => !OF_SERVER.includes(name))));
      }
    }
    return rows;
  }

  const time = fc.integer({ min: TIME, max: TIME + 1000 });
  const name = fc.stringMatching(/^[a-z]{1,5}(\.[a-z]{1,3})?$/);
  const value = fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.array(fc.integer()));
  const line = fc.oneof(
    fc
      .tuple(time, fc.constantFrom(10, 30, 60, 35, 'warn'), fc.dictionary(name, value))
      .map(([at, level, more]) => JSON.stringify({ ...more, time: at, level })),
    time.map((at) => `${new Date(at).toISOString()} ERROR no stock`),
  );

  it('have the same fields as with logclient query --stdin', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (lines) => {
        const text = lines.join('\n');
        const byText = (all: Record<string, string>[]) =>
          all.map((row) => JSON.stringify(sorted(row))).sort();
        expect(byText(await eventsOf(text))).toEqual(byText(await rowsOf(text)));
      }),
      cases(30),
    );
  });

  it('have the same times and fields if the file is read from its end, in several parts', async () => {
    const padding = 'x'.repeat(700);
    const more = `more ${padding}`;
    const stack = (at: number): string =>
      `${new Date(at).toISOString()} ERROR ${at}\r\n${`  at buy (/srv/buy.js:3:9) ${padding}\r\n`.repeat(9).trimEnd()}`;
    const lines = Array.from({ length: 4000 }, (_, n) => [
      JSON.stringify({ time: TIME + n, level: 50, msg: `Zoë ${n}`, padding }),
      ...(n % 7 === 0 ? Array.from({ length: n % 5 }, () => more) : []),
      ...(n % 50 === 0 ? [stack(TIME + n)] : []),
      ...(n % 1000 === 0 ? ['', `plain ${'y'.repeat(1_200_000)}`] : []),
    ]).flat();
    const events = await eventsOf(`\ufeff${lines.join('\r\n')}`);
    const seen = new Map<string, number>();
    let time = '';
    for (const line of lines.filter((each) => each !== '')) {
      time = /^\{"time":(\d+)/.exec(line)?.[1] ?? time;
      const key = `${time} ${line.length} ${line.slice(0, 80)}`;
      seen.set(key, (seen.get(key) ?? 0) + 1);
    }
    for (const { '@timestamp': at, '@rawstring': line } of events) {
      const key = `${at} ${line?.length} ${line?.slice(0, 80)}`;
      seen.set(key, (seen.get(key) ?? 0) - 1);
    }
    expect([...seen.values()].filter((count) => count !== 0)).toEqual([]);
  });

  it('are whole at the boundaries of the parts in which the file is read from its end', async () => {
    const timeOf = (n: number): string => new Date(TIME + n).toISOString();
    const records = Array.from({ length: 1500 }, (_, n) => [
      `${timeOf(n)} stdout P ${n} ${'x'.repeat(700)}\n${timeOf(n)} stdout F end`,
      JSON.stringify({ n, text: 'x'.repeat(700), time: timeOf(n) }, null, 2),
      `${timeOf(n)} INFO ${n} ${'x'.repeat(300)}`,
    ]).flat();
    const events = await eventsOf(records.join('\n'));
    expect(new Set(events.map((event) => event['@rawstring']))).toEqual(new Set(records));
    expect(events.length).toBe(records.length);
  });

  it('are the newest ones if not all fit in memory, and a note says how much is left', async () => {
    await using server = await startLocalServer({ listen: false, maxEvents: 2000 });
    const reader = new LineReader(server, { follow: false, signal: new AbortController().signal });
    const lines = Array.from({ length: 30_000 }, (_, n) => `{"time":${TIME + n},"msg":"${'x'.repeat(170)}"}`);
    await reader.read([await fileOf(lines.join('\n'))]);
    const times = server.inspect.events().map((event) => Number(event['@timestamp']));
    expect(Math.max(...times)).toBe(TIME + 29_999);
    expect(times.length).toBeGreaterThan(1000);
    expect(Math.min(...times)).toBe(TIME + 30_000 - times.length);
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    reader.report();
    const note = write.mock.calls.map(([text]) => text).join('');
    write.mockRestore();
    expect(note).toMatch(
      /The oldest [56] MB did not fit in memory; "logclient query" reads whole files\.\n$/,
    );
  });

  it('are the newest ones first if an older file is compressed', async () => {
    const linesFrom = (first: number, count: number): string =>
      Array.from(
        { length: count },
        (_, n) => `{"time":${TIME + first + n},"msg":"${'x'.repeat(170)}"}\n`,
      ).join('');
    const [older, newer] = [await fileOf(''), await fileOf(linesFrom(1000, 30_000))];
    await writeFile(older, gzipSync(linesFrom(0, 1000)));
    await using server = await startLocalServer({ listen: false });
    const reader = new LineReader(server, { follow: false, signal: new AbortController().signal });
    const done = reader.read([older, newer]);
    await reader.started;
    const times = () => server.inspect.events().map((event) => Number(event['@timestamp']));
    expect(times()[0]).toBeGreaterThan(TIME + 1000);
    expect(times().at(-1)).toBe(TIME + 30_999);
    await done;
    expect(times()).toEqual(Array.from({ length: 31_000 }, (_, n) => TIME + n));
  });

  it.each(['gzip', 'no times'])('of a file with %s are read in order', async (kind) => {
    const text = Array.from({ length: 20_000 }, (_, n) => `line ${n} ${'x'.repeat(100)}`).join('\n');
    const file = await fileOf('');
    await writeFile(file, kind === 'gzip' ? gzipSync(text) : text);
    await using server = await startLocalServer({ listen: false });
    const reader = new LineReader(server, { follow: false, signal: new AbortController().signal });
    await reader.read([file]);
    expect(server.inspect.events().map((event) => event['@rawstring'])).toEqual(text.split('\n'));
  });

  it('have the time of the previous line if they have none', async () => {
    const text = `${JSON.stringify({ time: TIME, msg: 'failed' })}\n  at buy (/srv/buy.js:3:9)\n`;
    const times = (await eventsOf(text)).map((event) => event['@timestamp']);
    expect(times).toEqual([String(TIME), String(TIME)]);
  });

  it('are all read, even with invalid JSON, extreme times or a value of 2 MB', async () => {
    const lines = [
      ...['{"time":1e300}', '{"time":-5}', '{"time":"x"}', '{"timestamp":123456789012345678}', '[1]', '{'],
      ...['{"@id":"evil","#repo":"x","@rawstring":"y"}', `{"a":"${'x'.repeat(2_000_000)}"}`, '\u0000\ufffd'],
    ];
    expect(await eventsOf(lines.join('\n'))).toHaveLength(lines.length);
  });
});

function sorted(row: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).sort(([left], [right]) => (left < right ? -1 : 1)));
}
