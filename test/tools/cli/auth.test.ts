import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request as forward } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, type NgsiemServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { CA_FILE, SELF_SIGNED } from '../../helpers/tls.ts';

let ngsiem: NgsiemServer;
let logscale: LocalServer;
let folder: string;
beforeAll(async () => {
  ngsiem = await startLocalServer({ ngsiem: { memberCid: 'member-1' } });
  logscale = await startLocalServer();
});
afterAll(async () => {
  await ngsiem.close();
  await logscale.close();
});
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-auth-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function falconVariables(): Record<string, string> {
  return {
    XDG_CONFIG_HOME: folder,
    FALCON_CLIENT_ID: ngsiem.clientId,
    FALCON_CLIENT_SECRET: ngsiem.clientSecret,
    FALCON_BASE_URL: ngsiem.url,
  };
}

async function secretFile(): Promise<string> {
  const file = join(folder, 'secret');
  await writeFile(file, `${ngsiem.clientSecret}\n`);
  return file;
}

const configFile = (): string => join(folder, 'logclient', 'config.yaml');

describe('logclient auth status', () => {
  it('reports Next-Gen SIEM, the origin of each setting, and a successful query', async () => {
    const { code, stdout, stderr } = await runCommand(['auth', 'status', '--json'], {
      env: falconVariables(),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { name: 'service', value: 'Next-Gen SIEM', origin: 'FALCON_CLIENT_ID' },
        { name: 'url', value: ngsiem.url, origin: 'FALCON_BASE_URL' },
        { name: 'clientId', value: ngsiem.clientId, origin: 'FALCON_CLIENT_ID' },
        { name: 'clientSecret', value: 'set, 40 characters', origin: 'FALCON_CLIENT_SECRET' },
        { name: 'repository', value: 'search-all', origin: 'default' },
        {
          name: 'query',
          value: true,
          origin: null,
        },
      ]),
    );
    expect(stdout).not.toContain(ngsiem.clientSecret);
  });

  it('reports LogScale and a successful query', async () => {
    const { code, stdout } = await runCommand(['auth', 'status', '--json'], { env: accessTo(logscale) });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        { name: 'service', value: 'LogScale', origin: 'LOGSCALE_TOKEN' },
        expect.objectContaining({ name: 'query', value: true }),
      ]),
    );
    expect(stdout).not.toContain(logscale.userToken);
  });

  it.each([
    ['LOGSCALE_TOKN', 'LOGSCALE_TOKEN'],
    ['LOGSCALE_REPO', 'LOGSCALE_REPOSITORY'],
  ])('names the variable that %s may mean, if a setting is missing', async (name, meant) => {
    const { stderr } = await runCommand(['auth', 'status'], { env: { [name]: 'x' } });
    expect(stderr).toContain(`${name} is set: did you mean ${meant}?`);
  });

  it('shows the settings, runs no query and exits with 4 without a token', async () => {
    const { code, stdout, stderr } = await runCommand(['auth', 'status', '--json']);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^logclient: no token is set\./);
    expect(JSON.parse(stdout)).toContainEqual({ name: 'query', value: false, origin: null });
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'a wrong secret',
      { FALCON_CLIENT_SECRET: 'not-the-secret' },
      'the service rejected the API client CLIENT (status 403: Failed to issue access token - Not Authorized): check FALCON_CLIENT_ID and FALCON_CLIENT_SECRET, and',
    ],
    [
      'an unknown member CID',
      { FALCON_MEMBER_CID: 'member-2' },
      'the member CID member-2 is unknown, or the API client CLIENT has no access to it',
    ],
  ])(
    'shows the settings and exits with 4 and a one-line message for %s',
    async (_name, variables, message) => {
      const env = { ...falconVariables(), ...variables };
      const { code, stdout, stderr } = await runCommand(['auth', 'status', '--json'], { env });
      expect(JSON.parse(stdout)).toContainEqual({ name: 'query', value: false, origin: null });
      expect(stderr).toContain(`logclient: ${message.replace('CLIENT', ngsiem.clientId)}`);
      expect(stderr).toMatch(/^[^\n]+\n$/);
      expect(code).toBe(4);
      expect(stdout + stderr).not.toContain('not-the-secret');
    },
  );
});

it.each([
  ['not-the-token', 4, 'rejected the token from LOGSCALE_TOKEN'],
  [undefined, 2, 'no repository is set'],
])('auth status without a repository proves the token %s', async (token, status, message) => {
  const env = { ...accessTo(logscale), LOGSCALE_REPOSITORY: '', LOGSCALE_TOKEN: token ?? logscale.userToken };
  const { code, stderr } = await runCommand(['auth', 'status', '--json'], { env });
  expect(stderr).toContain(message);
  expect(code).toBe(status);
});

describe('Commands on Next-Gen SIEM', () => {
  it('use the API client in flags instead of LOGSCALE_TOKEN and LOGSCALE_URL', async () => {
    const flags = ['--client-id', ngsiem.clientId, '--client-secret-file', await secretFile()];
    const { code, stdout, stderr } = await runCommand(
      // The condition silences the note about an empty result.
      ['query', 'count()', '--fail-on-match', '--url', ngsiem.url, '--member-cid', 'member-1', ...flags],
      { env: { LOGSCALE_TOKEN: 'for another service', LOGSCALE_URL: 'http://nowhere.invalid' } },
    );
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '{"_count":"0"}\n', stderr: '' });
  });

  it.each<[string, readonly string[], Record<string, string>, RegExp]>([
    [
      'both kinds of credentials in the environment',
      [],
      { LOGSCALE_TOKEN: 't' },
      /FALCON_CLIENT_ID is for Next-Gen SIEM and LOGSCALE_TOKEN for LogScale/,
    ],
    [
      'both kinds of credentials in flags',
      ['--client-id', 'x', '--token', 'y'],
      {},
      /--client-id is for Next-Gen SIEM and --token for LogScale/,
    ],
    [
      'a cloud and an address',
      ['--cloud', 'us-1', '--url', 'http://x'],
      {},
      /--cloud and --url can't be combined/,
    ],
    [
      'two variables for the address',
      [],
      { FALCON_CLOUD: 'us-1' },
      /FALCON_CLOUD and FALCON_BASE_URL can't be combined/,
    ],
    [
      'an unknown cloud',
      ['--cloud', 'mars'],
      {},
      /--cloud must be one of us-1, us-2, eu-1, us-gov-1 \(got mars\)/,
    ],
    [
      'a missing secret',
      [],
      { FALCON_CLIENT_SECRET: '' },
      /no API client secret is set\. Pass --client-secret-file/,
    ],
    [
      'a secret with a space',
      [],
      { FALCON_CLIENT_SECRET: 'a secret' },
      /^logclient: FALCON_CLIENT_SECRET contains characters that are not valid in a token/,
    ],
    [
      'an ID with a space',
      ['--client-id', 'my client'],
      {},
      /^logclient: --client-id contains characters that are not valid in a token/,
    ],
  ])('exit with 2 for %s', async (_name, flags, variables, message) => {
    const env = { ...falconVariables(), ...variables };
    const { code, stdout, stderr } = await runCommand(['query', ...flags], { env });
    expect(stderr).toMatch(message);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it('refer to the Falcon console if Next-Gen SIEM has no API for them', async () => {
    const { code, stderr } = await runCommand(['parsers', 'list'], { env: falconVariables() });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'logclient: this command is not available on Next-Gen SIEM. Use the Falcon console instead.\n',
    });
  });

  it('report the line and column of a syntax error', async () => {
    const { code, stderr } = await runCommand(['query', 'count('], { env: falconVariables() });
    expect(stderr).toMatch(/^logclient: the service rejected the query\. .*\(line 1, column \d+\)\n/);
    expect(code).toBe(1);
  });

  it('exit with 4 if the rate limit is exceeded', async () => {
    const fault = ngsiem.faults.add({ path: 'queryjobs', status: 429, retryAfter: 3600 });
    const { code, stderr } = await runCommand(['query', '*'], { env: falconVariables() });
    fault.remove();
    expect(stderr).toMatch(
      /^logclient: the rate limit.* is exceeded \(status 429\): try again in 3600 s, or send fewer requests\.\n$/,
    );
    expect(code).toBe(4);
  });
});

describe('logclient auth login', () => {
  const login = (secret: string) =>
    runCommand(['auth', 'login', '--url', ngsiem.url, '--client-id', ngsiem.clientId], {
      env: { XDG_CONFIG_HOME: folder },
      stdin: `${secret}\n`,
    });

  it('reads a secret from stdin and saves it in a file with mode 600', async () => {
    const { code, stderr } = await login(ngsiem.clientSecret);
    expect(code, stderr).toBe(0);
    expect(stderr).toBe(
      `logclient: Next-Gen SIEM at ${ngsiem.url}/humio/ is ready. Saved the profile "default" in ${configFile()}.\n`,
    );
    expect((await stat(configFile())).mode & 0o777).toBe(0o600);
    const env = { XDG_CONFIG_HOME: folder };
    expect(await runCommand(['query', 'count()', '-o', 'raw'], { env })).toMatchObject({
      code: 0,
      stdout: '0\n',
    });
  });

  it('saves several profiles, and --profile takes precedence over the environment', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const secret = ['--client-secret-file', await secretFile()];
    const falcon = ['auth', 'login', '--url', ngsiem.url, '--client-id', ngsiem.clientId, ...secret];
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, logscale.userToken);
    const token = [
      'auth',
      'login',
      '--url',
      logscale.url,
      '--repository',
      logscale.repository,
      '--token-file',
      tokenFile,
    ];
    expect((await runCommand([...falcon, '--profile', 'siem'], { env })).code).toBe(0);
    expect((await runCommand([...token, '--profile', 'scale'], { env })).code).toBe(0);
    const serviceOf = async (...words: string[]) => {
      const { stdout } = await runCommand(['auth', 'status', '--json', ...words], {
        env: { ...accessTo(logscale), LOGSCALE_URL: 'http://nowhere.invalid', ...env },
      });
      const rows = JSON.parse(stdout) as { name: string; value: string; origin: string }[];
      return rows.find(({ name }) => name === 'service');
    };
    expect(await serviceOf('--profile', 'siem')).toMatchObject({ value: 'Next-Gen SIEM' });
    expect(await serviceOf('--profile', 'SCALE')).toEqual({
      name: 'service',
      value: 'LogScale',
      origin: `profile "scale" in ${configFile()}`,
    });
    expect(await serviceOf()).toMatchObject({ value: 'LogScale', origin: 'LOGSCALE_TOKEN' });
  });

  it.each([
    ['--ca-file', ['--ca-file', CA_FILE], ''],
    ['--insecure', ['--insecure'], "logclient: the service's certificate is not verified (profile"],
  ])('saves %s, so that commands with the profile do not need the flag', async (_, flags, note) => {
    const front = createServer(SELF_SIGNED, (request, response) => {
      const { method, headers, url = '' } = request;
      request.pipe(
        forward(`${logscale.url}${url}`, { method, headers }, (answer) => {
          answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
        }),
      );
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void front.close());
    await once(front, 'listening');
    const url = `https://localhost:${(front.address() as AddressInfo).port}`;
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, logscale.userToken);
    const env = { XDG_CONFIG_HOME: folder };
    const words = ['--url', url, '--repository', 'sandbox', '--token-file', tokenFile, ...flags];
    expect(await runCommand(['auth', 'login', ...words], { env })).toMatchObject({ code: 0 });
    const run = await runCommand(['query', 'count()', '-o', 'raw', '--fail-on-match'], { env });
    expect(run).toMatchObject({ code: 0, stdout: '0\n' });
    expect(run.stderr.startsWith(note)).toBe(true);
    expect(run.stderr === '').toBe(note === '');
  });

  it('saves nothing and does not print the secret if the service rejects it', async () => {
    const { code, stdout, stderr } = await login('not-the-secret');
    expect(code).toBe(4);
    expect(stderr).toContain('the service rejected the API client');
    expect(stderr).toContain(': check --client-id and the client secret, ');
    expect(stdout + stderr).not.toContain('not-the-secret');
    await expect(readFile(configFile())).rejects.toThrow('ENOENT');
  });

  it.each<[readonly string[], RegExp]>([
    [['--token-file', 'TOKEN'], /a profile for LogScale needs --url <address> and --repository <name>/],
    [['--config', 'x'], /--config is the file of humioctl, which logclient doesn't write/],
    [
      ['--client-secret-file', 'TOKEN'],
      /no API client ID is set\. Pass --client-id <id>, or a token with --token-file -\./,
    ],
  ])('rejects %j with exit code 2', async (words, message) => {
    const file = await secretFile();
    const flags = words.map((word) => (word === 'TOKEN' ? file : word));
    const { code, stderr } = await runCommand(['auth', 'login', ...flags], {
      env: { XDG_CONFIG_HOME: folder },
    });
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });
});

describe('logclient auth logout', () => {
  it('removes one profile and keeps the others', async () => {
    const env = { XDG_CONFIG_HOME: folder };
    const flags = [
      '--url',
      ngsiem.url,
      '--client-id',
      ngsiem.clientId,
      '--client-secret-file',
      await secretFile(),
    ];
    for (const name of ['one', 'two']) {
      expect((await runCommand(['auth', 'login', ...flags, '--profile', name], { env })).code).toBe(0);
    }
    expect(await runCommand(['auth', 'logout', '--profile', 'one'], { env })).toMatchObject({ code: 0 });
    const text = await readFile(configFile(), 'utf8');
    expect(text).toContain('two:');
    expect(text).not.toContain('one:');
    expect((await stat(configFile())).mode & 0o777).toBe(0o600);
    const again = await runCommand(['auth', 'logout', '--profile', 'one'], { env });
    expect(again).toMatchObject({
      code: 2,
      stderr: `logclient: there is no profile "one" in ${configFile()}.\n`,
    });
  });
});
