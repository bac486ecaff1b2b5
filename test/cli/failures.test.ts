import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { proxyFor } from '../../src/cli/settings/proxy.ts';
import { type LocalServer, startLocalServer } from '../../src/local-server/index.ts';
import { CLI_FILE, startCli, startProcess } from '../helpers/cli-process.ts';
import { accessTo, runCommand } from '../helpers/cli-run.ts';
import { startService } from '../helpers/http-service.ts';

const TLS = resolve(import.meta.dirname, '../fixtures/tls');
const CA_FILE = join(TLS, 'self-signed.pem');
const SECRET = 'secret-token-0123456789';

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
});
afterAll(() => server.close());

/** An https service with a certificate that nobody knows. */
async function startSecureService(): Promise<string> {
  const service = createServer(
    { key: readFileSync(join(TLS, 'self-signed.key')), cert: readFileSync(CA_FILE) },
    (_, response) =>
      response.setHeader('content-type', 'application/json').end('{"status":"OK","version":"1"}'),
  );
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  onTestFinished(() => void service.close());
  return `https://127.0.0.1:${(service.address() as AddressInfo).port}`;
}

/** Everything went to stderr, in one sentence without the token. */
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

describe('a failure is told in one sentence that says what to do, with the right exit code', () => {
  it('when nothing listens at the address', async () => {
    await expectFailure(
      ['query', '--url', 'http://127.0.0.1:1'],
      1,
      /nothing accepts connections at http:\/\/127\.0\.0\.1:1 \(--url\)\. .*"logclient serve"/,
    );
  });

  it('when the token is wrong, with its origin', async () => {
    const env = { LOGSCALE_URL: server.url };
    await expectFailure(
      ['query'],
      4,
      /does not accept the token from LOGSCALE_TOKEN\. .*"logclient auth status"/,
      env,
    );
    await expectFailure(['users', 'list'], 4, /does not accept the token from LOGSCALE_TOKEN/, env);
    await expectFailure(['tail'], 4, /does not accept the token from LOGSCALE_TOKEN/, env);
  });

  it('when the token has not the right', async () => {
    const { url, ingestToken } = server;
    const run = await runCommand(['query'], {
      env: { LOGSCALE_URL: url, LOGSCALE_TOKEN: ingestToken, LOGSCALE_REPOSITORY: 'sandbox' },
    });
    expect(run.code).toBe(4);
    expect(run.stderr).not.toContain(ingestToken);
  });

  it('when the certificate is not trusted; --ca-file trusts it, --insecure does not look at it and says so', async () => {
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
      stderr: expect.stringContaining('is not checked (--insecure)'),
    });
  });

  it('when it is https: where http: is spoken', async () => {
    await expectFailure(
      ['status', '--url', server.url.replace('http:', 'https:')],
      1,
      /no secure connection .*http: is spoken/,
    );
  });

  it('when a proxy or a login page answers', async () => {
    const page = await startService((_, response) =>
      response.setHeader('content-type', 'text/html').end('<html>Please sign in</html>'),
    );
    await expectFailure(
      ['query', '--url', page.url],
      1,
      /answered with a web page where the API would not\. .*\(--url\)/,
    );
    const redirect = await startService((_, response) =>
      response.writeHead(302, { location: '/login' }).end(),
    );
    await expectFailure(['files', 'list', '--url', redirect.url], 1, /answered with a redirect/);
  });

  it('when the proxy on the way does not answer, or is none', async () => {
    const environment = { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'localhost,other.example' };
    expect(proxyFor('http://127.0.0.1:2/x', environment)).toEqual({
      value: 'http://127.0.0.1:1',
      origin: 'HTTP_PROXY',
    });
    expect(proxyFor('http://localhost:2', environment)).toBeUndefined();
    expect(proxyFor('http://a.other.example', environment)).toBeUndefined();
    expect(proxyFor('https://127.0.0.1:2', environment)).toBeUndefined();
    const cli = (proxy: string) => startCli(['status', '--url', server.url], { HTTP_PROXY: proxy });
    const refused = cli('http://127.0.0.1:1');
    expect(await refused.ended).toBe(1);
    expect(refused.output.stderr).toMatch(/by way of the proxy from HTTP_PROXY \(.*\)\. .*NO_PROXY=/);
    const wrong = cli('nonsense');
    expect(await wrong.ended).toBe(2);
    expect(wrong.output.stderr).toMatch(/^logclient: HTTP_PROXY is not the address of a proxy\. .*\n$/);
  });

  it('when the address has not the path of the API', async () => {
    await expectFailure(
      ['status', '--url', `${server.url}/elsewhere`],
      1,
      /does not know \/elsewhere\/api\/v1\/status\. Is the address right \(--url\), with its path prefix\?/,
    );
  });

  it.skipIf(!existsSync('/dev/full'))('when there is no room for the output', async () => {
    const { ended, output } = startProcess(
      'sh',
      ['-c', `'${process.execPath}' '${CLI_FILE}' --help > /dev/full`],
      { env: { PATH: process.env.PATH } },
    );
    expect(await ended).toBe(1);
    expect(output.stderr).toBe("logclient: the output can't be written (ENOSPC).\n");
  });

  it('when the query expires on the service', async () => {
    const fault = server.faults.add({ method: 'GET', path: '/queryjobs/', status: 404 });
    onTestFinished(() => fault.remove());
    await expectFailure(
      ['query', 'count()'],
      1,
      /no longer knows the query: .* Run it again\./,
      accessTo(server),
    );
  });

  it('when the service is too busy', async () => {
    const fault = server.faults.add({ method: 'POST', path: 'queryjobs', status: 429, retryAfter: 7 });
    onTestFinished(() => fault.remove());
    await expectFailure(
      ['query', 'count()'],
      1,
      /is too busy \(status 429\)\. Try again in 7 s\./,
      accessTo(server),
    );
  });

  it('when the service takes too long', async () => {
    const fault = server.faults.add({ method: 'POST', path: 'queryjobs', hang: true });
    onTestFinished(() => fault.remove());
    await expectFailure(
      ['query', '--timeout', '1'],
      1,
      /did not answer within 1 s\. --timeout/,
      accessTo(server),
    );
  });

  it('when the repository is not there', async () => {
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

  it('when a tail is asked for rows that are no events', async () => {
    await expectFailure(['tail', 'count()'], 1, /a tail shows events.*"logclient query"/, accessTo(server));
  });
});

describe('a reader that closes the pipe', () => {
  it('does not crash serve, which stops later as ever', async () => {
    const cli = startCli(['serve', '--port', '0']);
    await expect.poll(() => cli.output.stdout).toContain('Ctrl-C stops it.');
    cli.child.stdout!.destroy();
    cli.child.kill('SIGTERM');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
  });

  it.each([[['completion', 'fish']], [['--help']]])('ends %j quietly with 0', async (words) => {
    const cli = startCli(words);
    cli.child.stdout!.destroy();
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
  });
});
