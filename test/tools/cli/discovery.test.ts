import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { transports } from '../../fixtures/transports.mjs';
import { CLI_FILE, type CliProcess, startCli, startProcess } from '../../helpers/cli-process.ts';
import { type CliRun, type RunningCommand, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { startService } from '../../helpers/http-service.ts';
import { lawCases } from '../../helpers/laws.ts';
import { runNode } from '../../helpers/run-node.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

const FIXTURE = resolve(import.meta.dirname, '../../fixtures/discover.mjs');
const NO_TOKEN = /^logclient: no token is set\. .*start one with "npx logclient serve"\.\n$/;

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-discovery-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  env = { HOME: folder, XDG_STATE_HOME: join(folder, 'state'), LOGCLIENT_DISCOVERY: '' };
});

/** A server of this process with a state file. */
async function findableServer(directory = '/'): Promise<LocalServer> {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  await writeStateFile(env.XDG_STATE_HOME!, { ...stateOf(server), directory });
  return server;
}

function runCli(words: readonly string[], more: Record<string, string> = {}): Promise<CliRun> {
  return runCommand(words, { env: { ...env, ...more } });
}

function ingestLine(line: string): Promise<CliRun> {
  return runCommand(['ingest', '-q'], { env, stdin: `${line}\n` });
}

function using({ url }: { readonly url: string }, elsewhere?: string): string {
  const where = elsewhere === undefined ? '' : `, which was started in ${elsewhere}`;
  return `logclient: using the local server at ${url}${where}.\n`;
}

/** Starts a server in its own process. */
async function startServe(...flags: string[]): Promise<CliProcess> {
  const cli = startCli(['serve', '--port', '0', ...flags], env);
  await started(cli);
  return cli;
}

/** The output of a server in this process. */
async function serveHere(): Promise<RunningCommand['output']> {
  const cli = startCommand(['serve', '--port', '0'], { env });
  await started(cli);
  return cli.output;
}

async function started({ output }: Pick<RunningCommand, 'output'>): Promise<void> {
  await expect.poll(() => output.stdout + output.stderr).toContain('Ctrl-C');
}

describe('logclient without settings', () => {
  it('uses the running local server and reports it once on stderr', async () => {
    const server = await findableServer();
    expect(await ingestLine('{"level":"error"}')).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await runCli(['query', 'groupBy(level)', '-q'])).stderr).toBe('');
    expect(await runCli(['query', 'groupBy(level)'])).toEqual({
      code: 0,
      stdout: '{"level":"error","_count":"1"}\n',
      stderr: using(server),
    });
    const status = await runCli(['auth', 'status', '-o', 'csv']);
    expect(status.stdout).toContain(`url,${server.url},local server\n`);
  });

  it('queries another repository of the local server with --repository', async () => {
    await using server = await startLocalServer({ repositories: ['billing'] });
    await writeStateFile(env.XDG_STATE_HOME!, stateOf(server));
    expect(await runCli(['query', 'count()', '--repository', 'billing'])).toMatchObject({
      code: 0,
      stdout: '{"_count":"0"}\n',
    });
    expect((await runCli(['query', '--repository', 'missing'])).stderr).toContain('no repository "missing"');
  });

  it.each([
    ['LOGCLIENT_DISCOVERY', 'off'],
    ['CI', 'true'],
    ['NODE_ENV', 'production'],
    ['HUMIO_ADDRESS', 'http://127.0.0.1:9'],
    ['FALCON_CLOUD', 'us-2'],
  ])('uses no local server if %s is %s, and names both', async (name, value) => {
    const { url } = await findableServer();
    const why = `The local server at ${url} is not used because ${name} is ${name === 'NODE_ENV' ? value : 'set'}.\n`;
    for (const words of [['query'], ['ingest', FIXTURE]]) {
      expect(await runCli(words, { [name]: value })).toMatchObject({
        code: 4,
        stderr: expect.stringMatching(/^logclient: no token is set\. /),
      });
      expect((await runCli(words, { [name]: value })).stderr).toContain(why);
    }
    for (const HOW of lawCases(['LogClient', 'LogIngestClient'], 1)) {
      const { code, stderr } = await runNode(FIXTURE, { ...env, HOW, [name]: value });
      expect([HOW, code === 0, stderr.includes(why.trim())]).toEqual([HOW, false, true]);
    }
  });

  it('says how a client gets the token of a local server whose address is in LOGSCALE_URL', async () => {
    const { url } = await findableServer();
    const { stderr } = await runNode(FIXTURE, { ...env, HOW: 'LogClient', LOGSCALE_URL: url });
    expect(stderr).toContain(`The local server at ${url} is used with its token if LOGSCALE_URL is not set.`);
  });

  it.each(['LOGSCALE_REPOSITORY', 'HUMIO_REPOSITORY'])(
    'uses the repository in %s at the local server',
    async (name) => {
      await using server = await startLocalServer({ repositories: ['billing'] });
      await writeStateFile(env.XDG_STATE_HOME!, stateOf(server));
      const variables = { [name]: 'billing' };
      const { stderr } = await runCli(['ingest', FIXTURE], variables);
      expect(stderr).toMatch(/ shipped \d+ records to \S+, repository billing\.\n$/);
      const { stdout } = await runCli(['query', 'count()', '-o', 'raw'], variables);
      expect(stderr).toContain(`shipped ${stdout.trim()} records`);
      expect((await runCli(['auth', 'status', '--json'], variables)).stdout).toContain(name);
      const missing = await runCli(['ingest', FIXTURE], { [name]: 'missing' });
      expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('no repository "missing"') });
      await runNode(FIXTURE, { ...env, HOW: 'LogClient', ...variables });
      const queried = server.inspect.requests().filter(({ path }) => path.includes('/billing/'));
      expect(queried.length).toBeGreaterThan(2);
    },
  );

  it('uses no local server if a flag or a profile sets the address', async () => {
    const { url } = await findableServer();
    const advice = (origin: string): string =>
      `. The local server at ${url} is not used because the address is from ${origin}.\n`;
    for (const words of [
      ['query', '--repository', 'r'],
      ['ingest', FIXTURE],
    ]) {
      const away = [...words, '--url', 'http://127.0.0.1:9'];
      const run = await runCli(away, { LOGSCALE_URL: url });
      expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining(advice('--url')) });
    }
    const refused = await runCli([
      'query',
      '--repository',
      'r',
      '--token',
      'a',
      '--url',
      'http://127.0.0.1:9',
    ]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(advice('--url')) });
    await mkdir(join(folder, '.humio'));
    const config = join(folder, '.humio/config.yaml');
    await writeFile(config, 'address: http://127.0.0.1:9\n');
    const profile = await runCli(['query', '--repository', 'r']);
    expect(profile).toMatchObject({
      code: 4,
      stderr: expect.stringContaining(advice(config)),
    });
  });

  it('ignores a state file if another program uses its address, and sends that program no token', async () => {
    const other = await startService((_, response) => response.end('hello'));
    await writeStateFile(env.XDG_STATE_HOME!, { url: other.url, startedAt: Date.now() + 1_000 });
    const server = await findableServer();
    expect((await runCli(['query', 'count()'])).stderr).toContain(using(server));
    expect(other.calls).toEqual(['GET /instance']);
    expect(other.requests[0]!.headers).not.toHaveProperty('authorization');
  });

  it('prefers the server whose directory contains the working directory over the newest one', async () => {
    const near = await findableServer(process.cwd());
    const newest = await findableServer('/elsewhere');
    expect((await runCli(['query', 'count()'])).stderr).toContain(using(near));
    const words = ['query', 'count()'];
    const away = startProcess(process.execPath, [CLI_FILE, ...words], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
    });
    await away.ended;
    expect(away.output.stderr).toContain(using(newest, '/elsewhere'));
  });
});

describe('Program without settings', () => {
  it.skipIf(process.platform === 'win32')(
    'finds the newest local server from a deleted working directory',
    async () => {
      const server = await findableServer();
      const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" "$@"';
      const words = ['-c', script, process.execPath, FIXTURE];
      const program = startProcess('sh', words, {
        cwd: folder,
        env: { PATH: process.env.PATH, ...env, HOW: 'LogClient' },
      });
      expect(await program.ended).toBe(0);
      expect(program.output).toEqual({ stdout: '[{"_count":"0"}]\n', stderr: using(server, '/') });
    },
  );

  it.each(lawCases(Object.keys(transports), 2))('sends its records to the local server: %s', async (HOW) => {
    const server = await findableServer();
    const { code, stderr } = await runNode(FIXTURE, { ...env, HOW });
    expect({ code, stderr }).toEqual({ code: 0, stderr: using(server) });
    expect(server.inspect.events()).toMatchObject([{ n: '1' }]);
  });

  it.each(lawCases(['pino.transport', 'createPinoStream', 'winston worker'], 1))(
    'sends its records to the local server although variables set tags, redaction and a repository: %s',
    async (HOW) => {
      const server = await findableServer();
      const variables = {
        LOGSCALE_TAGS: 'service=cart',
        LOGSCALE_REDACT: 'true',
        LOGSCALE_REPOSITORY: 'orders',
      };
      const { code, stderr } = await runNode(FIXTURE, { ...env, HOW, ...variables });
      expect(code).toBe(0);
      expect(stderr).toBe(
        `${using(server).trim()} Its ingest token stores records in sandbox, not in orders (LOGSCALE_REPOSITORY).\n`,
      );
      expect(server.inspect.events()).toMatchObject([{ n: '1', '#service': 'cart' }]);
    },
  );

  it.each(lawCases(['createPinoStream', 'createPinoTransport', 'winston worker'], 1))(
    'sends its records to the local server on process.exit(): %s',
    async (HOW) => {
      const server = await findableServer();
      const { code } = await runNode(FIXTURE, { ...env, HOW, ENDING: 'exit' });
      expect(code).toBe(0);
      expect(server.inspect.events()).toMatchObject([{ n: '1' }]);
    },
  );

  it('queries and ingests at the local server with LogClient and LogIngestClient', async () => {
    const server = await findableServer();
    const ingest = await runNode(FIXTURE, { ...env, HOW: 'LogIngestClient' });
    expect(ingest).toMatchObject({ code: 0, stderr: using(server) });
    const query = await runNode(FIXTURE, { ...env, HOW: 'LogClient' });
    expect(query).toMatchObject({ code: 0, stdout: '[{"_count":"1"}]\n', stderr: using(server) });
  });

  it.each(lawCases(['pino.transport', 'createPinoTransport', 'LogClient'], 1))(
    'fails instead of using the local server if only baseUrl is set: %s',
    async (HOW) => {
      const server = await findableServer();
      const OPTIONS = JSON.stringify({ baseUrl: 'http://127.0.0.1:9' });
      const { code, stderr } = await runNode(FIXTURE, { ...env, HOW, OPTIONS });
      expect(code).not.toBe(0);
      expect(stderr).toMatch(/needs a token|"repository" is missing/);
      expect(server.inspect.requests()).toEqual([]);
    },
  );

  it.each(lawCases(['createPinoStream', 'LogClient', 'LogIngestClient'], 1))(
    'uses the local server while an HTTP mock is installed that rejects other requests: %s',
    async (HOW) => {
      const server = await findableServer();
      const { code, stderr } = await runNode(FIXTURE, { ...env, HOW, MOCK: 'msw' });
      expect({ code, stderr }).toEqual({ code: 0, stderr: using(server) });
    },
  );

  it.each(lawCases(['pino.transport', 'createPinoTransport', 'createPinoStream', 'LogClient'], 1))(
    'sends no token to another program at the address of a stopped local server: %s',
    async (HOW) => {
      const other = await startService((_, response) => response.end('hello'));
      const variables = {
        LOGSCALE_URL: other.url,
        LOGSCALE_REPOSITORY: 'sandbox',
        LOGSCALE_TOKEN: 'a-token',
        LOGSCALE_INGEST_TOKEN: 'a-token',
      };
      await writeStateFile(env.XDG_STATE_HOME!, { url: other.url, variables });
      const OPTIONS = HOW === 'LogClient' ? '{}' : '{"closeTimeoutMs":3000}';
      const { stderr } = await runNode(FIXTURE, { ...env, HOW, OPTIONS });
      expect(stderr).toContain(`he local server that was found at ${other.url} has stopped`);
      expect(new Set(other.calls)).toEqual(new Set(['GET /instance']));
      for (const { headers } of other.requests) expect(headers).not.toHaveProperty('authorization');
    },
  );

  it('finds a server started with --ngsiem', async () => {
    const serve = await startServe('--ngsiem');
    const [, url = ''] = /listening at (\S+)/.exec(serve.output.stdout)!;
    for (const HOW of ['pino.transport', 'createPinoTransport', 'createPinoStream']) {
      const { code, stderr } = await runNode(FIXTURE, { ...env, HOW });
      expect({ code, stderr }).toEqual({ code: 0, stderr: using({ url }) });
    }
    const client = await runNode(FIXTURE, { ...env, HOW: 'LogClient' });
    expect(client).toMatchObject({ code: 0, stdout: '[{"_count":"3"}]\n' });
    expect(await ingestLine('{"n":4}')).toMatchObject({ code: 0 });
    expect(await runCli(['query', 'count()'])).toMatchObject({ code: 0, stdout: '{"_count":"4"}\n' });
  });
});

describe('logclient serve', () => {
  const stateFiles = (): Promise<string[]> => readdir(join(env.XDG_STATE_HOME!, 'logclient/servers'));

  it('is discovered by other programs until it stops', async () => {
    const serve = await startServe();
    expect(await stateFiles()).toHaveLength(1);
    const query = startCli(['query', 'count()'], env);
    expect(await query.ended).toBe(0);
    expect(query.output.stdout).toBe('{"_count":"0"}\n');
    serve.child.kill('SIGTERM');
    expect(await serve.ended).toBe(0);
    expect(await stateFiles()).toEqual([]);
    expect(await runCli(['query'])).toMatchObject({ code: 4, stderr: expect.stringMatching(NO_TOKEN) });
  });

  it('is not discovered after SIGKILL, and the next server deletes its state file', async () => {
    const killed = await startServe();
    killed.child.kill('SIGKILL');
    await killed.ended;
    const [stale] = await stateFiles();
    expect(await runCli(['query'])).toMatchObject({ code: 4, stderr: expect.stringMatching(NO_TOKEN) });
    await startServe();
    expect(await stateFiles()).toEqual([expect.not.stringContaining(stale!)]);
  });

  it('prints a banner of seven lines, with a token only in the page link', async () => {
    const output = await serveHere();
    const lines = output.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(7);
    expect(lines[1]).toMatch(/^ {2}page {6}http:\/\/127\.0\.0\.1:\d+\/#token=\S+$/);
    expect(lines[0]).toMatch(/^logclient \S+: local server listening at http:\/\/127\.0\.0\.1:\d+$/);
    const others = lines.toSpliced(1, 1);
    expect(others.join()).not.toContain('~');
    expect(Math.max(...others.map((line) => line.length))).toBeLessThanOrEqual(100);
  });

  it('prints export lines and writes no state file if discovery is off', async () => {
    env.LOGCLIENT_DISCOVERY = 'off';
    const output = await serveHere();
    expect(output.stdout.match(/^ {2}export \w+=/gm)).toHaveLength(4);
    await expect(stateFiles()).rejects.toThrow('ENOENT');
  });

  it.each([
    ['CI', 'true'],
    ['NODE_ENV', 'production'],
    ['LOGSCALE_URL', 'http://127.0.0.1:9'],
  ])(
    'prints export lines if programs with its environment do not look for a local server: %s',
    async (name, value) => {
      env[name] = value;
      const output = await serveHere();
      expect(output.stdout.match(/^ {2}export \w+=/gm)).toHaveLength(4);
      expect(output.stdout).not.toContain('without settings');
    },
  );

  it('warns and prints export lines if it cannot write its state file', async () => {
    await writeFile(join(folder, 'state'), 'a file, not a directory');
    const output = await serveHere();
    expect(output.stderr).toMatch(
      /^logclient: other programs can't find this server, because .* \(E\w+\)\.\n$/,
    );
    expect(output.stdout).toContain('export LOGSCALE_URL=');
  });
});

describe('logclient serve --env', () => {
  const variables = {
    LOGSCALE_URL: 'http://127.0.0.1:9',
    LOGSCALE_TOKEN: `it's "$HOME" \\ token`,
    LOGSCALE_INGEST_TOKEN: 'plain~token',
  };
  const print = `JSON.stringify(Object.fromEntries(Object.entries(process.env).filter(([n]) => n.startsWith('LOGSCALE_'))))`;

  async function findable(): Promise<void> {
    const server = await findableServer();
    await rm(env.XDG_STATE_HOME!, { recursive: true });
    await writeStateFile(env.XDG_STATE_HOME!, { ...stateOf(server), variables });
  }

  it('prints lines that a POSIX shell can evaluate', async () => {
    await findable();
    const script = `eval "$("$0" "$1" serve --env posix)"; exec "$0" -p "$2"`;
    const shell = startProcess('sh', ['-c', script, process.execPath, CLI_FILE, print], {
      env: { PATH: process.env.PATH, ...env },
    });
    expect(await shell.ended).toBe(0);
    expect(JSON.parse(shell.output.stdout)).toEqual(variables);
  });

  it('prints lines for a .env file by default', async () => {
    await findable();
    const { stdout } = await runCli(['serve', '--env']);
    const file = join(folder, '.env');
    await writeFile(file, stdout);
    const node = startProcess(process.execPath, [`--env-file=${file}`, '-p', print], {
      env: { PATH: process.env.PATH },
    });
    expect(await node.ended).toBe(0);
    expect(JSON.parse(node.output.stdout)).toEqual(variables);
  });

  it('prints only the settings of the server at --port', async () => {
    await findable();
    const { code, stdout, stderr } = await runCli(['serve', '--port', '1', '--env']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      'no local server is running on port 1. Start one with "logclient serve --port 1".',
    );
  });

  it('prints lines for PowerShell and fish', async () => {
    await findable();
    expect((await runCli(['serve', '--env', 'powershell'])).stdout).toBe(
      `$env:LOGSCALE_URL = 'http://127.0.0.1:9'\n$env:LOGSCALE_TOKEN = 'it''s "$HOME" \\ token'\n$env:LOGSCALE_INGEST_TOKEN = 'plain~token'\n`,
    );
    expect((await runCli(['serve', '--env', 'fish'])).stdout).toBe(
      `set -gx LOGSCALE_URL 'http://127.0.0.1:9'\nset -gx LOGSCALE_TOKEN 'it\\'s "$HOME" \\\\ token'\nset -gx LOGSCALE_INGEST_TOKEN 'plain~token'\n`,
    );
  });

  it('exits with 1 if no local server is running', async () => {
    expect(await runCli(['serve', '--env'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'logclient: no local server is running on this computer. Start one with "logclient serve".\n',
    });
  });
});
