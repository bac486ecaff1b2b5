import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../../src/server/index.ts';
import { runProgram } from '../../../src/tools/cli/serve/child-program.ts';
import { CLI_FILE, type CliProcess, startCli, startProcess } from '../../helpers/cli-process.ts';
import { runCommand } from '../../helpers/cli-run.ts';
import { lawCases } from '../../helpers/laws.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

const LOGGING = `
  import pino from 'pino';
  const logger = pino(pino.transport({ target: 'logclient/pino', options: { tags: { service: 'cart' } } }));
  console.log('to stdout');
  console.error('to stderr');
  logger.warn({ ms: 950 }, 'payment is slow');
`;
/** Prints each signal, and exits with code 7 some time after the first one, like a server that closes connections. */
const GRACEFUL = `
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      console.log('got ' + signal);
      setTimeout(() => process.exit(7), 200);
    });
  }
  setInterval(() => {}, 1_000);
  console.log('ready');
`;
/** Prints the variables of the connection. */
const PRINT = `console.log(JSON.stringify(
  Object.fromEntries(Object.entries(process.env).filter(([name]) => /^(LOGSCALE|HUMIO|FALCON)_/.test(name))),
))`;

let folder: string;
let env: Record<string, string>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-program-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  env = { HOME: folder, XDG_STATE_HOME: folder, LOGCLIENT_DISCOVERY: '' };
});

function node(program: string): string[] {
  return [process.execPath, '--input-type=module', '--eval', program];
}

function start(...words: string[]): CliProcess {
  return startCli(['serve', ...words], env);
}

async function run(...words: string[]) {
  const { output, ended } = start(...words);
  return { code: await ended, ...output };
}

describe('logclient serve -- <program>', () => {
  it("prints the program's records to stderr, marked with │, and passes its output through", async () => {
    const { code, stdout, stderr } = await run('--port', '0', '--', ...node(LOGGING));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'to stdout\n' });
    const lines = stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^logclient: local server listening at http:\/\/127\.0\.0\.1:\d+\.$/);
    expect(lines.slice(1).sort()).toEqual([
      'to stderr',
      expect.stringMatching(/^│ \d{4}-\S+ \S+ {2}warn {3}cart {2}payment is slow {2}ms=950$/),
    ]);
  });

  it('prints no records with --no-tail', async () => {
    const { stderr } = await run('--port', '0', '--no-tail', '--', ...node(LOGGING));
    expect(stderr).toMatch(/^logclient: .*\nto stderr\n$/);
  });

  it('prints the records of every --repository', async () => {
    const program = `
      import { LogClient } from 'logclient';
      const events = [{ timestamp: Date.now(), attributes: { message: 'in billing' } }];
      await new LogClient({ repository: 'billing' }).ingestJsonData([{ events }]);
    `;
    const words = ['--port', '0', '--repository', 'shop', '--repository', 'billing', '--', ...node(program)];
    const { code, stderr } = await run(...words);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringMatching(/^│ .* in billing$/m) });
  });

  it("replaces the program's connection variables of another service", async () => {
    Object.assign(env, { HUMIO_ADDRESS: 'http://other', FALCON_CLIENT_ID: 'other', LOGSCALE_TOKEN: 'other' });
    const { stdout } = await run('--port', '0', '--user-token', 'mine', '--', ...node(PRINT));
    expect(JSON.parse(stdout)).toEqual({
      LOGSCALE_URL: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      LOGSCALE_REPOSITORY: 'sandbox',
      LOGSCALE_TOKEN: 'mine',
      LOGSCALE_INGEST_TOKEN: expect.any(String),
      LOGSCALE_FLUSH_INTERVAL_MS: '100',
    });
  });

  it('connects the program to Next-Gen SIEM with --ngsiem and prints its records', async () => {
    const { code, stdout, stderr } = await run('--port', '0', '--ngsiem', '--', ...node(LOGGING));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'to stdout\n' });
    expect(stderr).toMatch(/^│ .* payment is slow/m);
  });

  it('passes stdin and all arguments to the program, with and without --', async () => {
    const program = `
      let text = '';
      for await (const chunk of process.stdin) text += chunk;
      console.log(text, process.argv.slice(2).join(' '));
    `;
    const file = join(folder, 'program.mjs');
    await writeFile(file, program);
    for (const words of [['--', process.execPath], [process.execPath]]) {
      const { child, output, ended } = startCli(
        ['dev', '--port', '0', ...words, file, '--port', '80', '--', '--env', '-h'],
        env,
      );
      child.stdin!.end('hello');
      expect(await ended).toBe(0);
      expect(output.stdout).toBe('hello --port 80 -- --env -h\n');
    }
  });
});

describe('Exit code of logclient serve -- <program>', () => {
  it.each([
    ['process.exit(3)', 3],
    ["process.kill(process.pid, 'SIGKILL')", 137],
  ])(
    'is the exit code of the program, or 128 plus the number of its signal: %s',
    async (program, expected) => {
      const { code, stderr } = await run('--port', '0', '--', ...node(program));
      expect({ code, stderr }).toEqual({
        code: expected,
        stderr: expect.stringMatching(/^logclient: .*\n$/),
      });
    },
  );

  it('is 127 if the program does not exist', async () => {
    const words = ['serve', '--port', '0', '--', 'no-such-program', '--flag'];
    const { code, stderr } = await runCommand(words, { env });
    expect({ code, stderr }).toEqual({
      code: 127,
      stderr: expect.stringMatching(/^logclient: there is no program "no-such-program"\. .* npx\.$/m),
    });
  });

  it.each([
    [
      'a file without its runtime',
      'no-such-app.mjs',
      / put its runtime before it, such as node no-such-app\.mjs\.$/,
    ],
    ['a file of text', 'README.md', / To show the file: logclient view README\.md$/],
  ])('of %s is 127, with an error that names the command', async (_, program, message) => {
    const failure = { message: expect.stringMatching(message), exitCode: 127 };
    await expect(runProgram([program], {})).rejects.toMatchObject(failure);
  });

  it('is 126 if the program is not executable', async () => {
    const file = join(folder, 'program');
    await writeFile(file, 'text');
    await chmod(file, 0o644);
    const { code, stderr } = await runCommand(['serve', '--port', '0', '--', file], { env });
    expect(code).toBe(126);
    expect(stderr).toContain(`logclient: can't run "${file}" (EACCES).\n`);
  });
});

describe('Signals to logclient serve -- <program>', () => {
  it.each(lawCases(['SIGINT', 'SIGTERM', 'SIGHUP'] as const, 1))(
    'are forwarded to the program, which decides when to exit: %s',
    async (signal) => {
      const { child, output, ended } = start('--port', '0', '--', ...node(GRACEFUL));
      await expect.poll(() => output.stdout).toContain('ready');
      child.kill(signal);
      expect(await ended).toBe(7);
      expect(output.stdout).toBe(`ready\ngot ${signal}\n`);
    },
  );

  it('do not end logclient before the program if the whole process group gets them', async () => {
    const words = [CLI_FILE, 'serve', '--port', '0', '--', ...node(GRACEFUL)];
    const { child, output, ended } = startProcess(process.execPath, words, {
      detached: true,
      env: { PATH: process.env.PATH, ...env },
    });
    await expect.poll(() => output.stdout).toContain('ready');
    process.kill(-child.pid!, 'SIGINT');
    expect(await ended).toBe(7);
    expect(output.stdout).toContain('got SIGINT\n');
  });

  // The kernel can merge simultaneous signals, so a single Ctrl-C proves little.
  it.skipIf(!hasProgram('script'))('reach the program once per Ctrl-C on a terminal', async () => {
    const program = join(folder, 'program.mjs');
    await writeFile(
      program,
      `process.on('SIGINT', () => console.log('got SIGINT'));
      process.stdin.on('data', () => process.exit(7));
      console.log('ready');`,
    );
    const command = `exec '${process.execPath}' '${CLI_FILE}' serve --port 0 -- '${process.execPath}' '${program}'`;
    const { child, output, ended } = startProcess('script', ['-qfec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1', ...env },
    });
    const received = (): number => output.stdout.match(/got SIGINT/g)?.length ?? 0;
    await expect.poll(() => output.stdout).toContain('ready');
    for (let n = 0; n < 20; n++) {
      const before = received();
      child.stdin!.write('\u0003');
      await expect.poll(received).toBeGreaterThan(before);
    }
    child.stdin!.write('end\n');
    expect(await ended).toBe(7);
    expect(received()).toBe(20);
  });
});

describe('logclient serve -- <program> while a local server is running', () => {
  async function running() {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    await writeStateFile(folder, stateOf(server));
    return server;
  }

  it('uses that server, reports its URL and prints its records', async () => {
    const server = await running();
    const { code, stdout, stderr } = await run('--', ...node(LOGGING));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'to stdout\n' });
    expect(stderr).toContain(`logclient: using the local server at ${server.url}.\n`);
    expect(stderr).toMatch(/^│ .* payment is slow/m);
    expect(server.inspect.events()).toMatchObject([{ msg: 'payment is slow' }]);
  });

  const separations = [
    ['a flag of the server is set', ['--repository', 'shop'], {}],
    ['CI is set', [], { CI: 'true' }],
    ['LOGCLIENT_DISCOVERY is off', [], { LOGCLIENT_DISCOVERY: 'off' }],
  ] as const;

  it.each(lawCases(separations, 1))('starts a separate server if %s', async (_, flags, more) => {
    const server = await running();
    Object.assign(env, more);
    const { stdout } = await run(...flags, '--', ...node(PRINT));
    const { LOGSCALE_URL } = JSON.parse(stdout);
    expect(LOGSCALE_URL).not.toBe(server.url);
    expect(server.inspect.requests().filter(({ path }) => path !== '/instance')).toEqual([]);
  });

  it('uses that server even if the environment names another service', async () => {
    const server = await running();
    Object.assign(env, { LOGSCALE_URL: 'http://other' });
    const { stdout } = await run('--', ...node(PRINT));
    expect(JSON.parse(stdout)).toMatchObject({ LOGSCALE_URL: server.url });
  });
});

function hasProgram(name: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${name}`]).status === 0;
}
