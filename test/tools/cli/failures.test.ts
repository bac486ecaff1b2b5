import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { CLI_FILE, startCli, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import { startProxy } from '../../helpers/http-proxy.ts';
import { startService } from '../../helpers/http-service.ts';
import { CA_FILE, SELF_SIGNED } from '../../helpers/tls.ts';

const SECRET = 'secret-token-0123456789';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

/** An https service with a self-signed certificate. */
async function startSecureService(): Promise<string> {
  const service = createServer(SELF_SIGNED, (_, response) =>
    response.setHeader('content-type', 'application/json').end('{"status":"OK","version":"1"}'),
  );
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  onTestFinished(() => void service.close());
  return `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

describe('Exit code', () => {
  it.each([
    [0, ['query', 'nothing=here'], 'my-token'],
    [1, ['query', 'cuont()'], 'my-token'],
    [1, ['query', 'nothing=here', '--fail-on-empty'], 'my-token'],
    [1, ['query', '--url', 'http://127.0.0.1:1'], 'my-token'],
    [1, ['query', '--repository', 'gone'], 'my-token'],
    [1, ['users', 'show', 'gone@example.com'], 'my-token'],
    [2, ['query', '--limit', 'many'], 'my-token'],
    [2, ['users', 'show'], 'my-token'],
    [3, ['repositories', 'create', 'sandbox'], 'my-token'],
    [4, ['users', 'list'], SECRET],
  ] as const)('is %i for %j', async (code, words, token) => {
    const env = { LOGSCALE_URL: server.url, LOGSCALE_REPOSITORY: 'sandbox' };
    const LOGSCALE_TOKEN = token === SECRET ? SECRET : server.userToken;
    expect(await runCommand([...words], { env: { ...env, LOGSCALE_TOKEN } })).toMatchObject({ code });
  });
});

describe('--json', () => {
  it.each(
    ['repositories', 'views', 'files', 'saved-queries', 'parsers', 'tokens', 'users'].map((name) => [name]),
  )('prints the list of %s as one array of JSON, also if it is empty', async (name) => {
    const LOGSCALE_TOKEN = server.userToken;
    const env = { LOGSCALE_URL: server.url, LOGSCALE_REPOSITORY: 'sandbox', LOGSCALE_TOKEN };
    const { code, stdout } = await runCommand([name, 'list', '--json'], { env });
    expect([code, Array.isArray(JSON.parse(stdout))]).toEqual([0, true]);
  });
});

/** Expects one line on stderr, without the token. */
async function expectFailure(words: string[], code: number, message: RegExp, env = {}): Promise<void> {
  const run = await runCommand(words, {
    env: { LOGSCALE_TOKEN: SECRET, LOGSCALE_REPOSITORY: 'sandbox', ...env },
  });
  expect(run.stderr).toMatch(message);
  expect(run.stderr).toMatch(/^logclient: [^\n]*\n$/);
  expect(run.stdout).toBe('');
  expect(run.stderr).not.toContain(SECRET);
  expect(run.code).toBe(code);
}

describe('Error message', () => {
  it('suggests a local server if nothing is listening at the address', async () => {
    await expectFailure(
      ['query', '--url', 'http://127.0.0.1:1'],
      1,
      /nothing is listening at http:\/\/127\.0\.0\.1:1 \(--url\)\. Check the address .*"npx logclient serve"\.$/m,
    );
  });

  it('names LOGSCALE_TOKEN as the origin of a rejected token', async () => {
    const env = { LOGSCALE_URL: server.url };
    await expectFailure(
      ['query'],
      4,
      /rejected the token from LOGSCALE_TOKEN\. .*"logclient auth status"/,
      env,
    );
    await expectFailure(['users', 'list'], 4, /rejected the token from LOGSCALE_TOKEN/, env);
    await expectFailure(['tail'], 4, /rejected the token from LOGSCALE_TOKEN/, env);
  });

  it('suggests a user token if the token lacks permission', async () => {
    const { url, ingestToken } = server;
    const run = await runCommand(['query'], {
      env: { LOGSCALE_URL: url, LOGSCALE_TOKEN: ingestToken, LOGSCALE_REPOSITORY: 'sandbox' },
    });
    expect(run.code).toBe(4);
    expect(run.stderr).toContain('If this is an ingest token, use a user token');
    expect(run.stderr).not.toContain(ingestToken);
  });

  it('names the variable for a user token that is set as an ingest token', async () => {
    const gateway = await startService((_, response) => response.writeHead(403).end('{"message":"no"}'));
    const env = { LOGSCALE_URL: gateway.url, LOGSCALE_INGEST_TOKEN: SECRET, LOGSCALE_TOKEN: '' };
    const run = await runCommand(['ingest'], { env, stdin: 'a\n' });
    expect(run).toMatchObject({ code: 4, stderr: expect.stringContaining('set it as LOGSCALE_TOKEN with') });
  });

  it('suggests --ca-file or --insecure for an untrusted certificate, and both flags work', async () => {
    const url = await startSecureService();
    await expectFailure(
      ['status', '--url', url],
      1,
      /is not trusted \(\w+\)\. Pass --ca-file <path> .*--insecure/,
    );
    const trusted = await runCommand(['status', '--url', url, '--ca-file', CA_FILE]);
    expect(trusted).toMatchObject({ code: 0, stderr: '' });
    const insecure = await runCommand(['status', '--url', url, '--insecure']);
    expect(insecure).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('is not verified (--insecure)'),
    });
  });

  it('suggests --ca-file for an untrusted certificate behind a proxy, where both flags work', async () => {
    const proxy = await startProxy({
      port: Number(new URL(await startSecureService()).port),
      credentials: 'a:b',
    });
    const status = async (...words: string[]) => {
      const cli = startCli(['status', '--url', 'https://logscale.test', ...words], {
        HTTPS_PROXY: proxy.url,
      });
      return [await cli.ended, cli.output.stderr];
    };
    expect(await status()).toEqual([1, expect.stringMatching(/is not trusted \(\w+\)\. Pass --ca-file/)]);
    expect(await status('--ca-file', CA_FILE)).toEqual([0, '']);
    expect(await status('--insecure')).toEqual([0, expect.stringContaining('is not verified (--insecure)')]);
    expect(proxy.requests).toEqual(Array(3).fill('CONNECT logscale.test:443'));
  });

  it('suggests http: if the address has https: and the service uses http:', async () => {
    await expectFailure(
      ['status', '--url', server.url.replace('http:', 'https:')],
      1,
      /can't open a secure connection .*: this port does not speak TLS\. .* use http:\/\/ in --url/,
    );
  });

  it('reports a web page or a redirect in place of API data', async () => {
    const page = await startService((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>Please sign in</html>'),
    );
    await expectFailure(
      ['query', '--url', page.url],
      1,
      /responded to .* with a web page .*\. Check the address \(--url\)/,
    );
    const redirect = await startService((_, response) =>
      response.writeHead(302, { location: '/login' }).end(),
    );
    await expectFailure(
      ['files', 'list', '--url', redirect.url],
      1,
      /returned a redirect .*: set the address \(--url\) to/,
    );
  });

  it('reports an unreachable proxy, rejected proxy credentials and an invalid HTTPS_PROXY', async () => {
    const port = await closedPort();
    const fail = async (proxy: string, code: number, message: RegExp) => {
      const cli = startCli(['status', '--url', 'https://logscale.test'], { HTTPS_PROXY: proxy });
      expect(await cli.ended).toBe(code);
      expect(cli.output.stderr).toMatch(message);
      expect(cli.output.stderr).not.toContain(SECRET);
    };
    const unreachable = `http://me:${SECRET}@127.0.0.1:${port}`;
    await fail(
      unreachable,
      1,
      /^logclient: The connection to the proxy .* \(ECONNREFUSED\)\. Check HTTPS_PROXY\.\n$/,
    );
    const { url } = await startProxy({ port, credentials: `me:not-${SECRET}` });
    await fail(url.replace('not-', ''), 1, /requires authentication \(status 407\)\..*in HTTPS_PROXY\.\n$/);
    await fail(
      `ftp://me:${SECRET}@host`,
      2,
      /^logclient: HTTPS_PROXY must start with http:\/\/ or https:\/\//,
    );
  });

  it('reports a --ca-file without a valid certificate', async () => {
    const file = resolve(import.meta.dirname, '../../fixtures/tls/self-signed.key');
    await expectFailure(
      ['status', '--url', 'https://127.0.0.1:1', '--ca-file', file],
      2,
      /--ca-file .*self-signed\.key must be a certificate in PEM format/,
    );
  });

  it('says what to remove from an address with an API path, and from a token with its scheme', async () => {
    const words = ['query', '--url', `${server.url}/api/v1`];
    await expectFailure(words, 1, /Remove "\/api\/v1" from the end of the address \(--url\)\.$/m);
    await expectFailure(
      ['query', '--token', 'Bearer abc'],
      2,
      /^logclient: omit "Bearer" from the token: it is added to requests\.$/m,
    );
  });

  it('reports a wrong path prefix in the address', async () => {
    await expectFailure(
      ['status', '--url', `${server.url}/elsewhere`],
      1,
      /has no path \/elsewhere\/api\/v1\/status\. Check the address \(--url\) and its path prefix\.$/m,
    );
  });

  it.skipIf(!existsSync('/dev/full'))('reports ENOSPC if the disk is full', async () => {
    const { ended, output } = startProcess(
      'sh',
      ['-c', `'${process.execPath}' '${CLI_FILE}' --help > /dev/full`],
      { env: { PATH: process.env.PATH } },
    );
    expect(await ended).toBe(1);
    expect(output.stderr).toBe("logclient: can't write the output (ENOSPC).\n");
  });

  it('suggests running the query again if it expired on the service', async () => {
    const fault = server.faults.add({ method: 'GET', path: '/queryjobs/', status: 404 });
    onTestFinished(() => fault.remove());
    await expectFailure(['query', 'count()'], 1, /the query expired: .* Run it again\./, accessTo(server));
  });

  it('says when to try again if the service is too busy', async () => {
    const fault = server.faults.add({ method: 'POST', path: 'queryjobs', status: 429, retryAfter: 7 });
    onTestFinished(() => fault.remove());
    await expectFailure(
      ['query', 'count()'],
      1,
      /is too busy \(status 429\)\. Try again in 7 s\./,
      accessTo(server),
    );
  });

  it('shows why the service is unavailable if it says so', async () => {
    const fault = server.faults.add({
      method: 'POST',
      path: 'queryjobs',
      status: 503,
      body: 'The disk is full.',
    });
    onTestFinished(() => fault.remove());
    const message = /is unavailable: The disk is full \(status 503\)\. Try again later\./;
    await expectFailure(['query', 'count()'], 1, message, accessTo(server));
  });

  it('suggests --timeout if the service does not respond in time', async () => {
    const fault = server.faults.add({ method: 'POST', path: 'queryjobs', hang: true });
    onTestFinished(() => fault.remove());
    await expectFailure(
      ['query', '--timeout', '1'],
      1,
      /did not respond within 1 s\. Pass --timeout/,
      accessTo(server),
    );
  });

  it('names the path of the address, too, if the repository is not found', async () => {
    await expectFailure(
      ['query', '--url', `${server.url}/logs`, '-r', 'sandbox'],
      1,
      /has no repository "sandbox" .*, or the path \/logs of the address \(--url\) is wrong\. /,
      accessTo(server),
    );
  });

  it('names a repository that does not exist', async () => {
    await expectFailure(
      ['query', '-r', 'nope'],
      1,
      /has no repository "nope" \(--repository\).*"logclient repositories list"/,
      accessTo(server),
    );
    await expectFailure(
      ['files', 'list', '-r', 'nope'],
      1,
      /a repository or view with the name "nope"/,
      accessTo(server),
    );
  });

  it('suggests logclient query if tail gets an aggregate', async () => {
    await expectFailure(
      ['tail', 'count()'],
      2,
      /tail shows only events.*"logclient query"/,
      accessTo(server),
    );
  });
});

describe('Closed stdout pipe', () => {
  it('does not make logclient serve fail', async () => {
    const cli = startCli(['serve', '--port', '0']);
    await expect.poll(() => cli.output.stdout).toContain('Press Ctrl-C to stop.');
    cli.child.stdout!.destroy();
    cli.child.kill('SIGTERM');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
  });

  it.each([[['completion', 'fish']], [['--help']]])('lets %j exit with 0 and no error', async (words) => {
    const cli = startCli(words);
    cli.child.stdout!.destroy();
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
  });
});
