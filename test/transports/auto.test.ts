import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { IngestSink } from '../helpers/ingest-sink.ts';
import { lawCases } from '../helpers/laws.ts';
import { type NodeRun, runNode } from '../helpers/run-node.ts';
import { stateOf, writeStateFile } from '../helpers/state-file.ts';

const FIXTURES = resolve(import.meta.dirname, '../fixtures/auto');
const AUTO = '--import logclient/auto';
const METADATA = { pid: expect.any(Number), hostname: expect.any(String) };

/** One record per way of logging. */
const RECORDS = [
  { level: 'info', message: 'console { n: 1 }', n: 1 },
  { level: 'info', ...METADATA, n: 2, msg: 'pino' },
  { level: 'info', message: 'winston', n: 3 },
];

let sink: IngestSink;
let folder: string;

beforeEach(async () => {
  sink = await IngestSink.open();
  folder = await mkdtemp(join(tmpdir(), 'logclient-auto-'));
});

afterEach(async () => {
  await sink.close();
  await rm(folder, { recursive: true });
});

/** Runs a fixture, by default with the capture. */
function run(fixture: string, env: Record<string, string> = {}): Promise<NodeRun> {
  return runNode(resolve(FIXTURES, fixture), {
    NODE_OPTIONS: AUTO,
    LOGSCALE_URL: sink.url,
    LOGSCALE_INGEST_TOKEN: 'token',
    FILE: join(folder, 'file'),
    ...env,
  });
}

function records(): Record<string, unknown>[] {
  return sink.events.map(({ attributes }) => attributes);
}

/** The messages of the records. */
function texts(): unknown[] {
  return records().map(({ msg, message }) => msg ?? message);
}

/** Removes what differs between two runs. */
function stable(text: string): string {
  return text.replaceAll(/"(time|pid)":\d+/g, '');
}

describe('logclient/auto', () => {
  it.each(['app.mjs', 'app.cjs'])(
    'captures pino, winston and the console of an unmodified %s',
    async (app) => {
      const plain = await run(app, { NODE_OPTIONS: '' });
      expect(sink.requests).toEqual([]);
      const captured = await run(app);
      expect(records()).toEqual(RECORDS);
      expect(new Set(sink.requests.map(({ port }) => port)).size).toBe(1);
      expect(captured).toMatchObject({ code: 0, stderr: '' });
      const lines = (output: string): string[] => stable(output).split('\n').sort();
      expect(lines(captured.stdout)).toEqual(lines(plain.stdout));
    },
  );

  const endings = [
    ['exit', { code: 3, signal: null }, []],
    ['exception', { code: 1, signal: null }, ['uncaughtException: crashed']],
    ['rejection', { code: 1, signal: null }, ['unhandledRejection: crashed']],
    ['signal', { code: null, signal: 'SIGTERM' }, []],
  ] as const;

  it.each(lawCases(endings, 2))(
    'delivers every record if the app ends with: %s',
    async (ending, end, crashes) => {
      expect(await run('app.mjs', { ENDING: ending })).toMatchObject(end);
      expect(records().slice(0, 3)).toEqual(RECORDS);
      expect(records().slice(3)).toMatchObject(
        crashes.map((message) => ({
          level: 'fatal',
          message,
          error: { name: 'TypeError', stack: expect.any(String) },
        })),
      );
    },
  );

  it('delivers a crash that happens before the first record', async () => {
    const { code, stderr } = await start([
      '--import',
      'logclient/auto',
      '-e',
      'setImmediate(() => missing())',
    ]);
    expect(code).toBe(1);
    expect(stderr).toContain('ReferenceError: missing is not defined');
    expect(records()).toMatchObject([
      { level: 'fatal', message: 'uncaughtException: missing is not defined' },
    ]);
  });

  it.each(lawCases(['off', '0', 'false', 'no'], 1))('is turned off by LOGCLIENT_AUTO=%s', async (value) => {
    const { code, stderr } = await run('app.mjs', { LOGCLIENT_AUTO: value });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sink.requests).toEqual([]);
  });

  it('adds the tags of LOGSCALE_TAGS', async () => {
    await run('app.mjs', { LOGSCALE_TAGS: 'service=shop' });
    const groups = sink.requests.flatMap((request) => request.groups);
    expect(new Set(groups.map(({ tags }) => tags.service))).toEqual(new Set(['shop']));
  });

  const invalid: readonly (readonly [string, string, string])[] = [
    [
      'LOGSCALE_INGEST_TOKEN',
      '',
      'logclient/auto needs a token. Set LOGSCALE_INGEST_TOKEN. To use a local server, ',
    ],
    ['LOGSCALE_URL', 'nowhere', 'LOGSCALE_URL does not start with http:// or https://. Add https://'],
    ['LOGSCALE_TAGS', 'shop', 'LOGSCALE_TAGS must have the form "service=shop,env=production" (got "shop")'],
  ];

  it.each(lawCases(invalid, 1))(
    'reports an invalid %s in one line on stderr and does not disturb the app',
    async (name, value, problem) => {
      const { code, stdout, stderr } = await run('app.mjs', { [name]: value, ENDING: 'exit' });
      expect(code).toBe(3);
      expect(stdout).toContain('console { n: 1 }');
      expect(stderr).toMatch(/^logclient: nothing is captured\. .*\n$/);
      expect(stderr).toContain(problem);
    },
  );

  it('reports nothing and loads no delivery code if the program logs nothing', async () => {
    const program = 'process.stdout.write(Object.keys(require.cache).join())';
    const args = ['--import', 'logclient/auto', '-e', program];
    const { code, stdout, stderr } = await start(args, { LOGSCALE_INGEST_TOKEN: '' });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('auto.cjs');
    expect(stdout).not.toMatch(/auto-capture|thread-stream/);
  });

  it('delivers to the local server that is running on the machine, and names a misspelled variable', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    await writeStateFile(folder, { ...stateOf(server), pid: process.pid });
    const { stderr } = await run('app.mjs', {
      LOGSCALE_URL: '',
      LOGSCALE_INGEST_TOKEN: '',
      LOGCLIENT_DISCOVERY: '',
      XDG_STATE_HOME: folder,
      LOGSCALE_INGEST_TOKENS: 'x',
    });
    expect(stderr).toMatch(
      /^logclient: using the local server at .* LOGSCALE_INGEST_TOKENS is set: did you mean LOGSCALE_INGEST_TOKEN\?\n$/,
    );
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const query = 'n=* | sort(n, order=asc) | select([n, level])';
    expect(await client.query(query)).toEqual(['1', '2', '3'].map((n) => ({ n, level: 'info' })));
  });

  it('captures worker threads, including a crash in a worker', async () => {
    const { code } = await run('worker.mjs');
    expect(code).toBe(0);
    expect(texts().sort()).toEqual([
      'console in main',
      'console in worker',
      'pino in main',
      'pino in worker',
      'uncaughtException: crashed',
      'worker ended',
    ]);
  });

  it('captures the test files of node --test', async () => {
    const args = ['--import', 'logclient/auto', '--test', join(FIXTURES, 'tests.mjs')];
    const { code, stdout } = await start(args);
    expect(code).toBe(0);
    expect(stdout).toMatch(/pass 1/);
    expect(texts().sort()).toEqual(['console in a test', 'pino in a test']);
  });

  it('does not capture a console that the app captures, and both deliver before SIGTERM ends the app', async () => {
    const { signal } = await run('both.mjs');
    expect(signal).toBe('SIGTERM');
    const groups = sink.requests.flatMap(({ groups }) => groups);
    const byTags = groups.map(({ tags, events }) => [
      tags,
      events.map(({ attributes }) => attributes.msg ?? attributes.message),
    ]);
    expect(byTags).toHaveLength(2);
    expect(byTags).toEqual(
      expect.arrayContaining([
        [{ own: 'yes' }, ['console']],
        [{}, ['pino']],
      ]),
    );
  });
});

describe('logclient/auto with pino', () => {
  it('delivers the same records as a transport of the app', async () => {
    await run('pino.mjs', { NODE_OPTIONS: '', HOW: 'features', STREAM: 'ours' });
    const expected = sink.events.splice(0);
    expect(expected).toHaveLength(5);
    // A transport only knows the levels of its logger.
    expect(expected[1]?.attributes.level).toBe(55);
    expected[1]!.attributes.level = 'alarm';
    expect(JSON.stringify(expected)).not.toContain('s3cr3t');
    await run('pino.mjs', { HOW: 'features' });
    const withoutLines = (events: unknown): string =>
      JSON.stringify(events).replaceAll(/\(?file:.*?(?=\\n|")/g, '');
    expect(withoutLines(sink.events)).toBe(withoutLines(expected));
  });

  it('sends lines as the streamWrite hook changed them', async () => {
    await run('pino.mjs', { HOW: 'streamWrite' });
    expect(records()).toEqual([{ level: 'info', msg: 'a ***' }]);
  });

  it('captures a logger with pino.transport targets, and leaves their output unchanged', async () => {
    await run('pino.mjs', { HOW: 'targets' });
    expect(texts()).toEqual(['in one file', 'in two files']);
    const written = async (file: string) =>
      (await readFile(join(folder, file), 'utf8')).match(/(?<="msg":").*?(?=")/g);
    expect(await written('file')).toEqual(['in one file', 'in two files']);
    expect(await written('file.errors')).toEqual(['in two files']);
  });

  it('delivers each record once with our targets, streams and workers, and a stream that prints with the console', async () => {
    const ways = [
      'our target',
      'our transport option',
      'one of our targets',
      'our pipeline',
      'our stream',
      'our worker',
      'our stream in a multistream',
      'a stream that prints with the console',
    ];
    const { code } = await run('pino.mjs', { HOW: ways.join() });
    expect([code, texts().sort()]).toEqual([0, ways.sort()]);
  });

  it('captures pino in a bundle', async () => {
    const outfile = join(folder, 'bundle.cjs');
    const stdin = { contents: "require('pino')().info('once')", resolveDir: FIXTURES };
    await build({ stdin, outfile, bundle: true, platform: 'node', logLevel: 'error' });
    await run(outfile);
    expect(texts()).toEqual(['once']);
  });

  it('does not capture the console in the worker of a target', async () => {
    const { stdout } = await run('printing-target.cjs');
    expect(stdout).toContain('deliveries in the worker: 0');
    expect(texts()).toEqual(['once']);
  });

  it('keeps the order of records from the logger and the console', async () => {
    await run('pino.mjs', { HOW: 'console calls around the logger' });
    expect(texts()).toEqual(['before', 'between', 'after']);
  });
});

describe('logclient/auto with winston', () => {
  it.each(lawCases(['winston-3.10', 'winston-3.13', 'winston-3.17', 'winston'], 1))(
    "sends the fields that the logger's format returns, of %s",
    async (WINSTON) => {
      await run('winston.mjs', { HOW: 'features', WINSTON });
      expect(records()).toEqual([
        { level: 'notice', message: 'order 7', service: 'orders', secret: '***' },
        expect.objectContaining({
          level: 'error',
          message: 'failed',
          request: 'r-1',
          stack: expect.any(String),
        }),
      ]);
    },
  );

  it('delivers each record once with transports that are shared, replaced, silent, removed, or ours', async () => {
    const expected = {
      'levels of transports': ['for the first transport', 'false true'],
      'silent and removed transports': ['not silent any more'],
      'the default logger': ['the default logger'],
      'the console transport': ['the console transport'],
      'a shared transport': ['a shared transport'],
      'replaced transports': ['before', 'between', 'after'],
      'our transport': ['our transport'],
      'our transport after another': ['our transport after another'],
      'our transport added later': ['before our transport', 'after our transport'],
    };
    const { code, stderr } = await run('winston.mjs', { HOW: Object.keys(expected).join() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(texts().sort()).toEqual(Object.values(expected).flat().sort());
  });

  it('sends the record of an exception handler after the crash record', async () => {
    const { code } = await run('winston.mjs', { HOW: 'an exception handler' });
    expect(code).toBe(1);
    expect(records()).toMatchObject([
      { level: 'fatal', message: 'uncaughtException: crashed' },
      { level: 'error', message: expect.stringMatching(/^uncaughtException: crashed\n/), exception: true },
    ]);
  });

  it('uses one connection for all loggers', async () => {
    const { stderr } = await run('winston.mjs', { HOW: 'many loggers' });
    expect(stderr).toBe('');
    expect(sink.events).toHaveLength(50);
    expect(new Set(sink.requests.map(({ port }) => port)).size).toBe(1);
  });
});

/** Runs Node with these arguments in the repository's folder. */
async function start(args: string[], env: Record<string, string> = {}): Promise<Omit<NodeRun, 'signal'>> {
  const child = spawn(process.execPath, args, {
    env: {
      PATH: process.env.PATH,
      LOGCLIENT_DISCOVERY: 'off',
      LOGSCALE_URL: sink.url,
      LOGSCALE_INGEST_TOKEN: 'token',
      ...env,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output.stderr += text));
  const code = await new Promise<number | null>((resolveCode) => child.on('close', resolveCode));
  return { code, ...output };
}
