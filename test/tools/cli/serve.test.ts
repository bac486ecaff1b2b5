import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CliProcess, startCli } from '../../helpers/cli-process.ts';
import { type RunningCommand, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';

interface Banner {
  readonly url: string;
  readonly userToken: string;
  readonly ingestToken: string;
}

/** Starts the command in this process. */
async function startServe(...flags: string[]): Promise<RunningCommand & Banner> {
  const cli = startCommand(['serve', '--port', '0', ...flags]);
  return { ...cli, ...(await bannerOf(cli)) };
}

/** Starts the command in its own process. */
async function startProcess(...flags: string[]): Promise<CliProcess & Banner> {
  const cli = startCli(['serve', '--port', '0', ...flags]);
  return { ...cli, ...(await bannerOf(cli)) };
}

async function bannerOf({ output }: Pick<RunningCommand, 'output'>): Promise<Banner> {
  await eventually(() => expect(output.stdout + output.stderr).toContain('Ctrl-C'));
  const find = (pattern: RegExp) => pattern.exec(output.stdout)![1]!;
  return {
    url: find(/listening at (\S+)/),
    userToken: find(/LOGSCALE_TOKEN='(.+)'/),
    ingestToken: find(/LOGSCALE_INGEST_TOKEN='(.+)'/),
  };
}

async function countEvents({ url, userToken }: Banner, repository = 'sandbox'): Promise<unknown> {
  const response = await fetch(`${url}/api/v1/repositories/${repository}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${userToken}`, accept: 'application/json' },
    body: JSON.stringify({ queryString: 'count()', start: 0 }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

async function ingest({ url, ingestToken }: Banner, lines: string[]): Promise<void> {
  const response = await fetch(`${url}/api/v1/ingest/humio-unstructured`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ingestToken}` },
    body: JSON.stringify([{ messages: lines }]),
  });
  expect(response.status).toBe(200);
}

describe('logclient', () => {
  it.each([['--help'], ['-h'], ['help'], []])('prints help for %j', async (...words) => {
    const { code, stdout } = await runCommand(words.filter((word) => word !== undefined));
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Query, tail and ship .*\n\nUsage: logclient /);
    expect(stdout).toContain('serve');
  });

  it.each(['--version', 'version'])('prints its version for %s', async (word) => {
    const { output, ended } = startCli([word]);
    expect({ code: await ended, ...output }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: '',
    });
  });

  it.each([
    [['sreve'], "logclient: unknown command 'sreve'. Did you mean serve?\n"],
    [['test'], "logclient: unknown command 'test'. Did you mean queries test?\n"],
    [['zzz'], 'logclient: unknown command \'zzz\'. Run "logclient --help" for usage.\n'],
    [
      ['-u', 'b', 'tokens', 'list'],
      "logclient: unknown option '-u'. Put it after the command: logclient tokens list -u\n",
    ],
    [['serve', '--prot', '1'], "logclient: unknown option '--prot'. Did you mean --port?\n"],
    [['serve', '--env', 'bash'], /Allowed choices are dotenv, posix, powershell, fish\.\n$/],
    [['serve', '--env', 'posix', 'npm'], "logclient: --env can't be combined with a program.\n"],
    [['users', 'show'], /^logclient: missing required argument 'email'\. Example: logclient users show ann@/],
    [['tail', 'a', 'b'], /^logclient: too many arguments .* Quote a query that has spaces: logclient tail '/],
    [
      ['serve', '--port'],
      /^logclient: --port needs a value\. Port to listen on; 0 picks a free one\. Default: .*\n$/,
    ],
    [
      ['serve', '--port', 'many'],
      /^logclient: invalid value 'many' for --port\. It must be a whole number from 0 to 65535\.\n$/,
    ],
    [['serve', '--port', '70000'], /It must be a whole number from 0 to 65535\.\n$/],
    [['serve', '--max-events', '0'], /It must be a whole number of at least 1\.\n$/],
    [
      ['serve', '--retention-days', '0'],
      /It must be a number of days greater than 0, such as 30 or 0\.5\.\n$/,
    ],
    [
      ['serve', '--allow-host', 'https://logs.example.com'],
      /It must be a host name such as logs\.example\.com, without protocol and port\.\n$/,
    ],
    [['serve', '--log-level', 'loud'], /Allowed choices are error, warn, info, debug\.\n$/],
  ])('rejects %j with exit code 2 and a one-line message', async (words, message) => {
    const { code, stdout, stderr } = await runCommand(words);
    expect(stderr).toEqual(typeof message === 'string' ? message : expect.stringMatching(message));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.each([
    [['bogus'], `unknown command or topic 'bogus'. Run "logclient --help" for a list.`],
    [['users', 'updat'], "unknown command or topic 'updat'. Did you mean update?"],
  ])(
    'rejects help for the unknown command %j with exit code 2 and a one-line message',
    async (words, message) => {
      expect(await runCommand(['help', ...words])).toEqual({
        code: 2,
        stdout: '',
        stderr: `logclient: ${message}\n`,
      });
    },
  );

  it('prints the help of a subcommand and of a topic', async () => {
    const helped = await runCommand(['help', 'users', 'update']);
    expect(helped).toMatchObject({ code: 0, stderr: '' });
    expect(helped.stdout).toBe((await runCommand(['users', 'update', '--help'])).stdout);
    expect((await runCommand(['help', 'exit-codes'])).stdout).toMatch(/^Exit codes:/);
  });

  it('prints the subcommands and exits with 2 if none is given', async () => {
    const { code, stderr } = await runCommand(['users']);
    expect(code).toBe(2);
    expect(stderr).toMatch(/ {2}update .*[\s\S]*\nlogclient: pass one of the commands listed above\.\n$/);
  });
});

describe('logclient serve', () => {
  it('prints its URL and tokens, runs queries, and exits with 0 on SIGTERM', async () => {
    const server = await startProcess();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    await ingest(server, ['one', 'two']);
    expect(await countEvents(server)).toEqual([{ _count: '2' }]);
    server.child.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.output.stderr).toBe('');
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it('exits with 0 on SIGINT while a live query is open', async () => {
    const server = await startServe();
    const live = await fetch(`${server.url}/api/v1/repositories/sandbox/query`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.userToken}`, accept: 'application/x-ndjson' },
      body: JSON.stringify({ queryString: '', start: '1h', isLive: true }),
    });
    expect(live.status).toBe(200);
    server.kill('SIGINT');
    expect(await server.ended).toBe(0);
    await live.text().catch(() => '');
  });

  it('uses the repository and the tokens from its flags', async () => {
    const server = await startServe(
      '--repository',
      'shop',
      '--user-token',
      'my-user',
      '--ingest-token',
      'my-ingest',
    );
    expect(server).toMatchObject({ userToken: 'my-user', ingestToken: 'my-ingest' });
    await ingest(server, ['one']);
    expect(await countEvents(server, 'shop')).toEqual([{ _count: '1' }]);
  });

  it('creates a repository with its own ingest token for each --repository', async () => {
    const server = await startServe('--repository', 'shop', '--repository', 'bank');
    const [, bankToken = ''] = /bank\s+ingest token (\S+)/.exec(server.output.stdout)!;
    await ingest(server, ['one']);
    await ingest({ ...server, ingestToken: bankToken }, ['two', 'three']);
    expect(await countEvents(server, 'shop')).toEqual([{ _count: '1' }]);
    expect(await countEvents(server, 'bank')).toEqual([{ _count: '2' }]);
    expect(await countEvents(server, 'humio-search-all')).toEqual([{ _count: '3' }]);
  });

  it.each([
    ['error', []],
    ['warn', []],
    ['info', ['info  POST /api/v1/ingest/humio-unstructured 200', 'info  GET /nowhere 404']],
    [
      'debug',
      [
        'info  POST /api/v1/ingest/humio-unstructured 200',
        'info  GET /nowhere 404',
        'debug GET /api/v1/status 200',
      ],
    ],
  ])('filters the request log by --log-level %s', async (level, expected) => {
    const server = await startServe('--log-level', level);
    await ingest(server, ['one']);
    for (const path of ['/nowhere?token=x', '/api/v1/status']) {
      await (await fetch(`${server.url}${path}`)).text();
    }
    server.kill('SIGTERM');
    await server.ended;
    const lines = server.output.stderr.split('\n').slice(0, -1);
    expect(lines.map((line) => line.replace(/^\S+ /, '').replace(/ [\d.]+ ms$/, ''))).toEqual(expected);
  });

  it('accepts web pages of the hosts in --allow-host and logs a warning for others', async () => {
    const server = await startServe('--allow-host', 'one.example', '--allow-host', '.two.example');
    const statusFor = async (origin: string) => {
      const response = await fetch(`${server.url}/graphql`, { method: 'POST', headers: { origin } });
      return response.status;
    };
    const origins = ['https://one.example', 'https://a.two.example', 'https://three.example'];
    expect(await Promise.all(origins.map(statusFor))).toEqual([401, 401, 403]);
    await eventually(() => expect(server.output.stderr).toMatch(/warn {2}POST \/graphql 403/));
  });

  it('logs each cause of rejected requests and records once, and its count on exit', async () => {
    const server = await startServe();
    const send = (path: string, token: string, body: string): Promise<Response> =>
      fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { 'user-agent': 'shop\u00851', authorization: `Bearer ${token}` },
        body,
      });
    for (let n = 0; n < 3; n++) await send('/api/v1/ingest/json', 'secret-of-yesterday', '{}');
    await send(
      '/api/v1/ingest/json',
      server.ingestToken,
      '{"@timestamp":1795328764,"text":"from collectd\u202e"}',
    );
    await send('/v1/traces', server.ingestToken, '');
    await fetch(`${server.url}/favicon.ico`);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    const lines = server.output.stderr.split('\n').slice(0, -1);
    expect(lines.map((line) => line.replace(/^\d{4}-\S+ /, ''))).toEqual([
      'warn  POST /api/v1/ingest/json 401 from shop\\x851 (unknown token): The supplied authentication is invalid. Use a token of this server: "logclient serve --env" prints them. A server that is started without its --data-dir or --user-token has new ones.',
      `warn  All rejected requests are at ${server.url}/#repo=humio-activity`,
      'warn  POST /api/v1/ingest/json 200 from shop\\x851 (ingest token "default" of sandbox): The time is in seconds, but this endpoint reads milliseconds: a time in the year 1970. Send the time in milliseconds. The record: {"@timestamp":1795328764,"text":"from collectd\\u202e"}',
      'warn  POST /v1/traces 415 from shop\\x851 (ingest token "default" of sandbox): OTLP requests must have the Content-Type application/x-protobuf or application/json (got "text/plain"). Correct the request. A request that fails stores nothing.',
      '3 × POST /api/v1/ingest/json 401 from shop\\x851 (unknown token): The supplied authentication is invalid.',
    ]);
  });

  it('keeps all acknowledged events after SIGKILL under load and warns about a truncated line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logclient-serve-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const first = await startProcess('--data-dir', folder);
    let acknowledged = 0;
    const senders = Array.from({ length: 4 }, async () => {
      for (;;) {
        await ingest(
          first,
          Array.from({ length: 50 }, (_, n) => `n=${n}`),
        );
        acknowledged += 50;
        if (acknowledged >= 2000) first.child.kill('SIGKILL');
      }
    });
    expect((await Promise.allSettled(senders)).map(({ status }) => status)).toEqual(
      Array(4).fill('rejected'),
    );
    expect(await first.ended).toBe('SIGKILL');
    const log = join(folder, 'repositories/sandbox/events/00000001.ndjson');
    appendFileSync(log, '{"@timestamp":"17701092');
    const second = await startServe('--data-dir', folder);
    const [row] = (await countEvents(second)) as [{ _count: string }];
    expect(Number(row._count)).toBeGreaterThanOrEqual(acknowledged);
    expect(second.output.stderr).toMatch(
      / warn .*00000001\.ndjson: cut off \d+ bytes of an incomplete line with 1 event\./,
    );
    await ingest(second, ['one']);
  });

  it('deletes events older than --retention-days or beyond --max-events, and counts them on exit', async () => {
    const server = await startServe('--retention-days', '0.5', '--max-events', '2');
    await ingest(server, ['2020-01-01T00:00:00Z old', 'new']);
    expect(await countEvents(server)).toEqual([{ _count: '1' }]);
    await ingest(server, ['newer', 'newest']);
    expect(await countEvents(server)).toEqual([{ _count: '2' }]);
    const post = async (path: string, body: object): Promise<void> => {
      const headers = { authorization: `Bearer ${server.userToken}`, 'content-type': 'application/json' };
      const response = await fetch(`${server.url}/${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      expect(response.status).toBe(200);
    };
    await post('graphql', { query: 'mutation { createRepository(name: "later") { repository { name } } }' });
    await post('api/v1/repositories/later/ingest-messages', [{ messages: ['one', 'two', 'three'] }]);
    server.kill('SIGTERM');
    await server.ended;
    expect(server.output.stderr).toContain(
      '\nlogclient: dropped 3 events because of --max-events, --max-bytes or --retention-days.\n',
    );
  });

  it.skipIf(process.platform !== 'linux')("rejects a --data-dir that can't be created", async () => {
    // A process of its own: a loop in the file system would also stop the test.
    const { ended, output } = startCli(['serve', '--port', '0', '--data-dir', '/proc/logs/here']);
    expect({ code: await ended, stderr: output.stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^logclient: --data-dir \/proc\/logs\/here can't be used \(ENOENT\)\. It must/,
      ),
    });
  });

  it('restores events and tokens from --data-dir after a restart', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'logclient-serve-'));
    try {
      const first = await startServe('--data-dir', folder);
      await ingest(first, ['one', 'two', 'three']);
      first.kill('SIGTERM');
      await first.ended;
      const second = await startServe('--data-dir', folder);
      expect(second.output.stdout).toContain(`${folder}, default repository sandbox\n`);
      expect(second).toMatchObject({ userToken: first.userToken, ingestToken: first.ingestToken });
      expect(await countEvents(second)).toEqual([{ _count: '3' }]);
      second.kill('SIGTERM');
      await second.ended;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('exits with 1 and names --port if the port is in use', async () => {
    const occupied = createServer();
    const port = await new Promise<number>((done) => {
      occupied.listen(0, '127.0.0.1', () => done((occupied.address() as { port: number }).port));
    });
    try {
      const { code, stdout, stderr } = await runCommand(['serve', '--port', String(port)]);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(
        new RegExp(`^logclient: port ${port} on 127\\.0\\.0\\.1 is in use\\. .*--port.*\\n$`),
      );
    } finally {
      occupied.close();
    }
  });

  it('names every invalid flag at once', async () => {
    const { code, stderr } = await runCommand([
      'serve',
      '--port',
      '0',
      '--repository',
      '../up',
      '--user-token',
      'two words',
    ]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^logclient: 2 options are invalid:\n- --repository .*\n- --user-token .*\n$/);
  });

  it.each([
    ['0.0.0.0', 'short-token', true],
    ['0.0.0.0', 'a-token-of-16-or-more', false],
    ['127.0.0.1', 'short-token', false],
  ])('on %s, with the user token %s, warns that it is short: %s', async (host, token, isShort) => {
    // The server rejects the name, so that it does not start.
    const flags = ['--host', host, '--user-token', token, '--repository', '../up'];
    const { stderr } = await runCommand(['serve', '--port', '0', ...flags]);
    expect(stderr.includes('its user token has less than 16 characters')).toBe(isShort);
  });

  it('exits with 2 for an invalid --user-token or --repository and hides the token', async () => {
    const token = await runCommand(['serve', '--port', '0', '--user-token', 'secret word']);
    expect(token).toMatchObject({ code: 2, stderr: expect.stringMatching(/^logclient: --user-token .*\n$/) });
    expect(token.stdout + token.stderr).not.toContain('secret');
    const repository = await runCommand(['serve', '--port', '0', '--repository', '../up']);
    expect(repository).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^logclient: --repository .*\n$/),
    });
  });

  it('prints its network addresses with --host 0.0.0.0', async () => {
    const { url, output } = await startServe('--host', '0.0.0.0');
    expect(url).toMatch(/^http:\/\/localhost:\d+$/);
    const [, addresses = ''] = /^ {2}network +(.+)$/m.exec(output.stdout)!;
    const expected = Object.values(networkInterfaces())
      .flatMap((all) => all ?? [])
      .filter(({ family, internal }) => family === 'IPv4' && !internal)
      .map(({ address }) => `http://${address}:${new URL(url).port}`);
    expect(addresses).toBe(expected.join(', ') || 'no network connection');
    for (const address of expected) expect((await fetch(`${address}/api/v1/status`)).status).toBe(200);
    expect(output.stdout).toContain('Other computers can reach this server. Only its tokens protect it.');
  });
});

describe('logclient serve --ngsiem', () => {
  async function startNgsiem(...flags: string[]): Promise<{ url: string; stdout: string }> {
    const { output } = startCommand(['serve', '--port', '0', ...flags]);
    await eventually(() => expect(output.stdout + output.stderr).toContain('Ctrl-C'));
    return { stdout: output.stdout, url: /listening at (\S+)/.exec(output.stdout)![1]! };
  }

  it('prints export lines with the credentials from its flags', async () => {
    const credentials = ['--client-id', 'my-id', '--client-secret', "it's", '--hec-token', 'my-key'];
    const { stdout, url } = await startNgsiem('--ngsiem', ...credentials);
    const exports = stdout.match(/^ {2}export .*$/gm)!;
    const script = `${exports.join('\n')}\nenv | grep -E '^(FALCON|LOGSCALE)_' | sort`;
    const environment = execFileSync('sh', ['-c', script], { env: { PATH: process.env.PATH } });
    expect(environment.toString()).toBe(
      `FALCON_BASE_URL=${url}\nFALCON_CLIENT_ID=my-id\nFALCON_CLIENT_SECRET=it's\n` +
        `LOGSCALE_FORMAT=hec\nLOGSCALE_INGEST_TOKEN=my-key\nLOGSCALE_INGEST_URL=${url}/services/collector\n` +
        'LOGSCALE_REPOSITORY=search-all\n',
    );
  });

  it('is implied by --client-id', async () => {
    expect((await startNgsiem('--client-id', 'my-id')).stdout).toContain('local Next-Gen SIEM server');
  });

  it.each([
    [['--repository', 'shop'], /^logclient: --repository can't be combined with --ngsiem\. .*\n$/],
    [['--user-token', 't'], /^logclient: --user-token can't be combined with --ngsiem\. .*\n$/],
    [['--client-secret', 'not valid'], /^logclient: --client-secret contains characters .*\n$/],
  ])('rejects %j with exit code 2 and names the flag', async (flags, message) => {
    const { code, stdout, stderr } = await runCommand(['serve', '--port', '0', '--ngsiem', ...flags]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });
});
