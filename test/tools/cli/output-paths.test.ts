import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { startCli } from '../../helpers/cli-process.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

const folder = mkdtempSync(join(tmpdir(), 'logclient-paths-'));
let server: LocalServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startLocalServer();
  env = accessTo(server);
  writeFileSync(join(folder, 'hosts.csv'), 'host\na\n');
  writeFileSync(join(folder, 'token'), server.userToken);
  symlinkSync(join(folder, 'gone'), join(folder, 'link'));
  const client = new LogClient({ baseUrl: server.url, repository: 'sandbox', userToken: server.userToken });
  await client.uploadFile(join(folder, 'hosts.csv'));
  await client.createParser('shop', 'kvParse()');
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

type Command = (path: string) => readonly [words: readonly string[], env?: Record<string, string>];

/** Commands that write to a path of the user, and the file that they write there. */
const COMMANDS: Readonly<Record<string, readonly [Command, file: string]>> = {
  'logclient play --out': [(path) => [['play', '--out', path]], 'index.html'],
  'logclient skill install --dir': [(path) => [['skill', 'install', '--dir', path]], 'logclient/SKILL.md'],
  'logclient parsers pull --to': [(path) => [['parsers', 'pull', 'shop', '--to', path], env], 'shop.yaml'],
  'logclient files download --out': [
    (path) => [['files', 'download', 'hosts.csv', '--out', join(path, 'copy.csv')], env],
    'copy.csv',
  ],
  'logclient auth login': [
    (path) => [
      [
        'auth',
        'login',
        '--url',
        server.url,
        '--repository',
        'sandbox',
        '--token-file',
        join(folder, 'token'),
      ],
      { XDG_CONFIG_HOME: path },
    ],
    'logclient/config.yaml',
  ],
};

async function run(command: Command, path: string): Promise<{ code: unknown; stderr: string }> {
  const [words, variables = {}] = command(path);
  const { code, stderr } = await runCommand(words, { env: variables });
  return { code, stderr };
}

describe.each(Object.entries(COMMANDS))('%s', (_, [command, file]) => {
  it('creates missing folders', async () => {
    const path = join(mkdtempSync(join(folder, 'new-')), 'a/b');
    expect((await run(command, path)).code).toBe(0);
    expect(readFileSync(join(path, file), 'utf8')).not.toBe('');
  });

  it.each([
    ['a file', 'hosts.csv', 'ENOTDIR|EEXIST'],
    ['a broken link', 'link', 'EEXIST'],
  ])('names the file that it cannot write below %s', async (_, name, codes) => {
    const { code, stderr } = await run(command, join(folder, name, 'a/b'));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        new RegExp(`^logclient: can't write \\S+/${name}/a/b/\\S+ \\((${codes})\\)\\.\n$`),
      ),
    });
  });

  it.runIf(process.platform === 'linux')('names the file that it cannot write below /proc', async () => {
    // A process of its own: a loop in the file system would also stop the test.
    const { ended, output } = startCli(...command('/proc/logclient/here'));
    expect({ code: await ended, stderr: output.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/^logclient: can't write \/proc\/logclient\/here\/\S+ \(ENOENT\)\.\n$/),
    });
  });
});

describe.runIf(process.platform === 'linux')('logclient serve', () => {
  it('starts if no other program can find it because XDG_STATE_HOME is in /proc', async () => {
    const { output } = startCli(['serve', '--port', '0'], {
      XDG_STATE_HOME: '/proc/logclient',
      LOGCLIENT_DISCOVERY: '',
    });
    await eventually(() => expect(output.stdout + output.stderr).toContain('Ctrl-C'));
    expect(output.stderr).toContain("other programs can't find this server, because /proc/logclient");
  });
});
