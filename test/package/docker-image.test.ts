import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest';
import { LogClient, LogIngestClient } from '../../src/index.ts';
import { closedPort } from '../helpers/closed-port.ts';
import { eventually } from '../helpers/eventually.ts';
import { ROOT } from './fresh-project.ts';

const run = promisify(execFile);
/** The user `node` of the image; without root, the user who runs the tests. */
const USER = process.getuid?.() === 0 ? { uid: 1000, gid: 1000 } : {};
const OWNER = `${USER.uid ?? process.getuid?.()}:${USER.gid ?? process.getgid?.()}`;

let folder: string;
let instructions: Map<string, string>;
let port: number;

/** Runs the steps of the Dockerfile in a folder, because tests have no Docker. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-image-'));
  await chmod(folder, 0o755);
  instructions = instructionsOf(await readFile(join(ROOT, 'examples/docker/server/Dockerfile'), 'utf8'));
  port = await closedPort();
  const command = instructions
    .get('RUN')!
    .replace(/^--mount=\S+/, '')
    .replaceAll('/tmp/logclient.tgz', inject('tarball'))
    .replaceAll('node:node', OWNER);
  const npm = { npm_config_prefix: join(folder, 'global'), npm_config_cache: join(folder, 'cache') };
  await run('sh', ['-c', inFolder(command)], { cwd: folder, env: { ...process.env, ...npm } });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function instructionsOf(text: string): Map<string, string> {
  const lines = text.replace(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '');
  return new Map(
    lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
  );
}

function inFolder(text: string): string {
  return text.replaceAll(/(?<= |")\/data\b/g, join(folder, 'data')).replaceAll('5647', String(port));
}

function imageEnvironment(): Record<string, string> {
  const assignments = inFolder(instructions.get('ENV')!).split(/\s+/);
  return {
    PATH: `${join(folder, 'global/bin')}:${process.env.PATH}`,
    ...Object.fromEntries(assignments.map((assignment) => assignment.split('='))),
  };
}

/** Starts the program of an instruction as the user of the image. */
function start(instruction: string, env: Record<string, string> = {}, flags: readonly string[] = []) {
  const [program, ...args] = JSON.parse(inFolder(instructions.get(instruction)!.replace(/^.*? CMD /, '')));
  const child = spawn(program, [...args, ...flags], {
    ...USER,
    cwd: join(folder, 'data'),
    env: { ...imageEnvironment(), ...env },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { text: '' };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output.text += chunk;
    });
  const ended = once(child, 'exit').then(([code, signal]) => code ?? signal);
  return { child, output, ended };
}

it('the Docker image does not run as root', () => {
  expect(instructions.get('USER')).toBe('node');
});

it('the Docker image prints and keeps its tokens, passes its health check and stops on SIGTERM', async () => {
  expect(await start('HEALTHCHECK').ended).toBe(1);
  const first = start('ENTRYPOINT');
  await eventually(async () => expect(await start('HEALTHCHECK').ended).toBe(0));
  const tokenOf = (name: string) => new RegExp(`${name}='?([^'\\s]+)`).exec(first.output.text)?.[1];
  const baseUrl = `http://127.0.0.1:${port}`;
  const [ingestToken, userToken] = [tokenOf('LOGSCALE_INGEST_TOKEN')!, tokenOf('LOGSCALE_TOKEN')!];
  await new LogIngestClient({ baseUrl, ingestToken }).ingestMessages(['order placed']);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(await start('HEALTHCHECK').ended).toBe(1);

  const second = start('ENTRYPOINT');
  await eventually(async () => expect(await start('HEALTHCHECK').ended).toBe(0));
  const client = new LogClient({ baseUrl, userToken, repository: 'sandbox' });
  expect(await client.query('count()')).toEqual([{ _count: '1' }]);
  second.child.kill('SIGTERM');
  expect(await second.ended).toBe(0);
});

it('the Docker image uses the tokens from LOGCLIENT_USER_TOKEN and LOGCLIENT_INGEST_TOKEN', async () => {
  const { output } = start('ENTRYPOINT', {
    LOGCLIENT_USER_TOKEN: 'my-user-token',
    LOGCLIENT_INGEST_TOKEN: 'my-ingest-token',
  });
  await eventually(() => expect(output.text).toContain("LOGSCALE_TOKEN='my-user-token'"));
  expect(output.text).toContain("LOGSCALE_INGEST_TOKEN='my-ingest-token'");
});

it('the Docker image passes its health check with --ngsiem', async () => {
  start('ENTRYPOINT', {}, ['--ngsiem']);
  await eventually(async () => expect(await start('HEALTHCHECK').ended).toBe(0));
});
