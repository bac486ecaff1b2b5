import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../../src/server/index.ts';
import { type CliRun, runCommand, startCommand } from '../../helpers/cli-run.ts';

const SECRET = 'a-secret-of-the-test';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-secrets-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
});

async function secretFile(content = `${SECRET}\n`): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, content, { mode: 0o600 });
  return file;
}

/** Starts a server, and stops it when it has printed its banner. */
async function served(flags: readonly string[], stdin = ''): Promise<CliRun> {
  const env = { HOME: folder, XDG_STATE_HOME: folder };
  const { output, ended, kill } = startCommand(['serve', '--port', '0', ...flags], { env, stdin });
  await expect.poll(() => output.stdout + output.stderr).toMatch(/Ctrl-C|logclient: /);
  kill('SIGTERM');
  return { code: await ended, ...output };
}

describe('A flag that takes a secret', () => {
  it.each([
    ['--user-token', 'LOGSCALE_TOKEN', []],
    ['--ingest-token', 'LOGSCALE_INGEST_TOKEN', []],
    ['--client-secret', 'FALCON_CLIENT_SECRET', ['--ngsiem']],
    ['--hec-token', 'LOGSCALE_INGEST_TOKEN', ['--ngsiem']],
  ])('reads it from a file with @, or from stdin with -: serve %s', async (flag, variable, more) => {
    const fromFile = await served([...more, flag, `@${await secretFile()}`]);
    expect(fromFile.stdout).toContain(`export ${variable}='${SECRET}'`);
    const fromStdin = await served([...more, flag, '-'], `${SECRET}\n`);
    expect(fromStdin.stdout).toContain(`export ${variable}='${SECRET}'`);
  });

  it('reads it from a file with @, or from stdin with -: --token of a query', async () => {
    await using server = await startLocalServer({ userToken: SECRET });
    const { url, repository } = server;
    const words = ['query', 'count()', '--url', url, '--repository', repository, '--token'];
    const found = { code: 0, stdout: '{"_count":"0"}\n' };
    expect(await runCommand([...words, `@${await secretFile()}`])).toMatchObject(found);
    expect(await runCommand([...words, '-'], { stdin: `${SECRET}\n` })).toMatchObject(found);
  });

  it.each([
    [
      'a missing file',
      '@/nonexistent/secret',
      "can't read --user-token /nonexistent/secret: it does not exist.",
    ],
    ['the name of a file without @', import.meta.filename, `pass "@${import.meta.filename}"`],
    ['an empty stdin', '-', '--user-token - (stdin) is empty'],
    ['an empty value', ' ', '--user-token is empty'],
  ])('is rejected with exit code 2 for %s', async (_, value, message) => {
    const run = await runCommand(['serve', '--port', '0', '--user-token', value], { stdin: '' });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it('is rejected by mcp if it names stdin, which belongs to the protocol', async () => {
    const run = await runCommand(['mcp', '--token', '-']);
    expect(run).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('stdin belongs to the protocol'),
    });
  });
});
