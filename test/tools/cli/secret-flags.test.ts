import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../../src/server/index.ts';
import { type CliProcess, startCli } from '../../helpers/cli-process.ts';

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

async function served(flags: readonly string[], stdin = ''): Promise<CliProcess> {
  const serve = startCli(['serve', '--port', '0', ...flags], { HOME: folder, XDG_STATE_HOME: folder });
  serve.child.stdin!.end(stdin);
  await expect.poll(() => serve.output.stdout + serve.output.stderr).toMatch(/Ctrl-C|logclient: /);
  return serve;
}

describe('A flag that takes a secret', () => {
  it.each([
    ['--user-token', 'LOGSCALE_TOKEN', []],
    ['--ingest-token', 'LOGSCALE_INGEST_TOKEN', []],
    ['--client-secret', 'FALCON_CLIENT_SECRET', ['--ngsiem']],
    ['--hec-token', 'LOGSCALE_INGEST_TOKEN', ['--ngsiem']],
  ])('reads it from a file with @, or from stdin with -: serve %s', async (flag, variable, more) => {
    const fromFile = await served([...more, flag, `@${await secretFile()}`]);
    expect(fromFile.output.stdout).toContain(`export ${variable}='${SECRET}'`);
    const fromStdin = await served([...more, flag, '-'], `${SECRET}\n`);
    expect(fromStdin.output.stdout).toContain(`export ${variable}='${SECRET}'`);
  });

  it('reads it from a file with @, or from stdin with -: --token of a query', async () => {
    await using server = await startLocalServer({ userToken: SECRET });
    const { url, repository } = server;
    const words = ['query', 'count()', '--url', url, '--repository', repository, '--token'];
    const fromFile = startCli([...words, `@${await secretFile()}`]);
    expect([await fromFile.ended, fromFile.output.stdout]).toEqual([0, '{"_count":"0"}\n']);
    const fromStdin = startCli([...words, '-']);
    fromStdin.child.stdin!.end(`${SECRET}\n`);
    expect([await fromStdin.ended, fromStdin.output.stdout]).toEqual([0, '{"_count":"0"}\n']);
  });

  it.each([
    ['a missing file', '@/nonexistent/secret', "can't read --user-token /nonexistent/secret (ENOENT)"],
    ['an empty stdin', '-', '--user-token - (stdin) is empty'],
    ['an empty value', ' ', '--user-token is empty'],
  ])('is rejected with exit code 2 for %s', async (_, value, message) => {
    const { output, child, ended } = startCli(['serve', '--port', '0', '--user-token', value]);
    child.stdin!.end();
    expect(await ended).toBe(2);
    expect(output.stderr).toContain(message);
  });

  it('is rejected by mcp if it names stdin, which belongs to the protocol', async () => {
    const { output, ended } = startCli(['mcp', '--token', '-']);
    expect(await ended).toBe(2);
    expect(output.stderr).toContain('stdin belongs to the protocol');
  });
});
