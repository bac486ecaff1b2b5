import { appendFile, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { startLocalServer } from '../../../src/server/index.ts';
import { CLI_FILE, startProcess } from '../../helpers/cli-process.ts';
import { hostOf, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { closedPort } from '../../helpers/closed-port.ts';
import {
  type HttpService,
  type ReceivedRequest,
  sendJson,
  sendText,
  startService,
} from '../../helpers/http-service.ts';

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'logclient-delivery-'));
  file = join(folder, 'app.log');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Group {
  readonly events?: readonly { readonly rawstring: string }[];
  readonly messages?: readonly string[];
}

/** The lines of a request, of both kinds. */
function linesOf({ headers, body }: ReceivedRequest): string[] {
  const text = headers['content-encoding'] === 'gzip' ? gunzipSync(body).toString() : body.toString();
  const groups = JSON.parse(text) as Group[];
  return groups.flatMap(({ events, messages }) => messages ?? events!.map(({ rawstring }) => rawstring));
}

interface StrictService extends HttpService {
  readonly taken: string[];
}

/** Rejects every request that contains a bad line, as the service does. */
async function startStrictService(isBad: (line: string) => boolean): Promise<StrictService> {
  const taken: string[] = [];
  const service = await startService((request, response) => {
    const lines = linesOf(request);
    if (lines.some(isBad)) return sendText(response, 400, 'a line is bad');
    taken.push(...lines);
    return sendJson(response, {});
  });
  return Object.assign(service, { taken });
}

function accessTo(url: string): Record<string, string> {
  return { LOGSCALE_URL: url, LOGSCALE_INGEST_TOKEN: 'a-token' };
}

function ingest(url: string, ...words: string[]) {
  return runCommand(['ingest', ...words], { env: accessTo(url) });
}

describe('logclient ingest with failing requests', () => {
  it.each([
    ['events', (n: number) => `{"n":${n}}`],
    ['text', (n: number) => `line ${n}`],
  ])('skips only the rejected lines of %s, ships the rest compressed and exits with 1', async (_, line) => {
    const lines = Array.from({ length: 300 }, (_, n) => line(n));
    const bad = [line(77), line(200)];
    await writeFile(file, lines.join('\n'));
    const service = await startStrictService((each) => bad.includes(each));
    expect(await ingest(service.url, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^logclient: shipped 298 records to [\w.:-]+\.\nlogclient: the service rejected 2 of 300 records: .*a line is bad\n$/,
      ),
    });
    expect(service.taken).toEqual(lines.filter((each) => !bad.includes(each)));
    expect(service.requests.some(({ headers }) => headers['content-encoding'] === 'gzip')).toBe(true);
  });

  it.each([
    ['events', '{"n":1}\n'],
    ['text', 'a line\n'],
  ])('stops early if the service rejects every line of %s', async (_, line) => {
    await writeFile(file, line.repeat(5_000));
    const service = await startStrictService(() => true);
    const { code, stderr } = await ingest(service.url, file);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /^logclient: shipped 0 records to [\w.:-]+\. [\d,]+ records were read but not confirmed\. The first is at line 11 of .*log\.\nlogclient: .*a line is bad\n$/,
      ),
    });
    expect(service.requests.length).toBeLessThan(40);
  });

  it.each([
    ['events', '{"n":1}\n'],
    ['text', 'a line\n'],
  ])('stops at a 401 response and reports how many lines of %s were not delivered', async (_, line) => {
    // The command reads them in one chunk, before the response arrives.
    const total = 30_000;
    await writeFile(file, line.repeat(total));
    const service = await startService((_request, response) =>
      service.requests.length === 1 ? sendJson(response, {}) : sendText(response, 401, 'no such token'),
    );
    const { code, stderr } = await ingest(service.url, file);
    const delivered = linesOf(service.requests[0]!).length;
    const count = (lines: number): string => lines.toLocaleString('en');
    expect(code).toBe(4);
    expect(stderr.split('\n')).toEqual([
      `logclient: shipped ${count(delivered)} records to ${hostOf(service)}. ${count(total - delivered)} more records were read but not confirmed. The first is at line ${delivered + 1} of ${file}.`,
      expect.stringMatching(/^logclient: the service stopped accepting lines\. .*401.*$/),
      '',
    ]);
  });

  it.each([
    ['{"n":1}\n', 1],
    ['{"n":1}\n', 2],
    ['a line\n', 1],
    ['a line\n', 2],
  ])('stops after --retry-timeout (%j, request %i fails)', async (line, firstFailure) => {
    await writeFile(file, line.repeat(50_000));
    const service = await startService((_, response) =>
      service.requests.length < firstFailure ? sendJson(response, {}) : sendText(response, 503, 'too busy'),
    );
    const { code, stderr } = await ingest(service.url, file, '--retry-timeout', '1');
    expect(code).toBe(1);
    expect(service.requests.length).toBeGreaterThan(firstFailure);
    expect(stderr).toMatch(
      firstFailure === 1
        ? /too busy \(status 503\)/
        : /has accepted nothing for 1 s \(--retry-timeout\)\. .*503/,
    );
  });
});

describe('logclient ingest', () => {
  it('keeps all digits of numbers, and replaces fields of a line with those of --field', async () => {
    const server = await startLocalServer();
    onTestFinished(() => server.close());
    await writeFile(file, '{"n":12345678901234567890,"x":7.0}\n{"n":1,"run":"mine"}\n{ }\n');
    const { url: baseUrl, repository, userToken, ingestToken } = server;
    await runCommand(['ingest', file, '--field', 'run=7'], {
      env: { LOGSCALE_URL: baseUrl, LOGSCALE_INGEST_TOKEN: ingestToken },
    });
    const client = new LogClient({ baseUrl, repository, userToken });
    expect(await client.query('run=7 | table([n, x])', { start: 0 })).toEqual(
      expect.arrayContaining([{ n: '12345678901234567890', x: '7.0' }, { n: '1' }, {}]),
    );
  });

  it('reports how many records were so large that their longest strings were cut', async () => {
    await writeFile(file, `{"n":1}\n{"msg":"${'x'.repeat(1_100_000)}"}\n`);
    const service = await startService((_, response) => sendJson(response, {}));
    expect(await ingest(service.url, file)).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringMatching(
        /^logclient: shipped 2 .*\n.*: cut the longest strings of 1 record over 1 MB\.\n$/,
      ),
    });
  });

  it('exits with 1 if nothing is listening at the address', async () => {
    await writeFile(file, '{"n":1}\nline\n');
    expect(await ingest(`http://127.0.0.1:${await closedPort()}`, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^logclient: shipped 0 records to [\w.:-]+\. 2 records were read but not confirmed\. The first is at line 1 of .*\nlogclient: nothing is listening at .*\n$/,
      ),
    });
  });

  it.each([['--follow'], ['--retry-timeout=60']])(
    'waits with %s for a service that is not running yet, and reports the outage and its end once',
    async (flag) => {
      const port = await closedPort();
      await writeFile(file, '{"n":1}\nline\n');
      const env = accessTo(`http://127.0.0.1:${port}`);
      const cli = startCommand(['ingest', flag, file], { env });
      await expect.poll(() => cli.output.stderr).toContain(`127.0.0.1:${port}`);
      const server = await startLocalServer({ port, ingestToken: env.LOGSCALE_INGEST_TOKEN });
      onTestFinished(() => server.close());
      await expect.poll(() => server.inspect.store().events, { timeout: 20_000 }).toBe(2);
      await expect.poll(() => cli.output.stderr).toContain('again');
      if (flag === '--follow') cli.kill('SIGINT');
      expect(await cli.ended).toBe(0);
      expect(cli.output.stderr.split('\n')).toEqual([
        expect.stringMatching(
          /Records stay queued and are retried: .* that the address \(--url or LOGSCALE_URL\) is correct/,
        ),
        'logclient: Records are delivered again.',
        `logclient: shipped 2 records to ${hostOf(server)}.`,
        '',
      ]);
    },
  );

  it('exits with 1 if another program is listening at the address', async () => {
    const service = await startService((_, response) => sendJson(response, { hello: 'world' }));
    await writeFile(file, '{"n":1}\n');
    expect(await ingest(service.url, file)).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^logclient: shipped 0 records to [\w.:-]+\. 1 record was read but not confirmed\. The first is at line 1 of .*\nlogclient: .* is not LogScale .*\. Check the address\.\n$/,
      ),
    });
  });

  it.each([
    ['SIGINT', 1, []],
    ['SIGINT', 1, ['-q']],
    ['SIGTERM', 143, ['-q']],
  ] as const)(
    'exits on %s with %i and reports the first line that --follow %j left undelivered',
    async (signal, code, flags) => {
      await writeFile(file, '{"n":1}\n');
      const service = await startService((_, response) => sendText(response, 503, 'too busy'));
      const words = ['ingest', '--follow', ...flags, file];
      const { output, ended, kill } = startCommand(words, { env: accessTo(service.url) });
      await expect.poll(() => service.requests.length).toBeGreaterThan(0);
      kill(signal);
      expect(await ended).toBe(code);
      expect(output.stderr).toMatch(
        /1 record was read but not confirmed\. The first is at line 1 of .*\.log\.\n$/,
      );
    },
  );

  it('exits with 4 on Ctrl-C if the token was rejected after the first lines of --follow', async () => {
    await writeFile(file, '{"n":1}\n');
    const service = await startService((_, response) =>
      service.requests.length === 1 ? sendJson(response, {}) : sendText(response, 401, 'unknown token'),
    );
    const cli = startCommand(['ingest', '--follow', file], { env: accessTo(service.url) });
    await expect.poll(() => service.requests.length).toBe(1);
    await appendFile(file, '{"n":2}\n');
    await expect.poll(() => cli.output.stderr).toContain('401');
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(4);
    expect(cli.output.stderr).toContain(`not confirmed. The first is at line 2 of ${file}.\n`);
  });

  it('waits for a response no longer than --retry-timeout, and names only flags', async () => {
    const service = await startService(() => undefined);
    const run = await runCommand(['ingest', '--retry-timeout', '1'], {
      env: accessTo(service.url),
      stdin: '{"n":1}\n',
    });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('The first is at line 1 of stdin.');
    expect(run.stderr).toContain('no response within 1000 ms (--timeout)');
    expect(run.stderr).not.toContain('requestTimeoutMs');
    // The time of the request counts, so there is none for another.
    expect(service.requests).toHaveLength(1);
  });

  it('reports on Ctrl-C the number of the first line that was not confirmed, blank lines included', async () => {
    await writeFile(file, '{"n":1}\n\n'.repeat(100_000));
    const service = await startService((_, response) =>
      service.requests.length === 1 ? sendJson(response, {}) : sendText(response, 503, 'too busy'),
    );
    const { output, ended, kill } = startCommand(['ingest', file], { env: accessTo(service.url) });
    await expect.poll(() => service.requests.length).toBeGreaterThan(1);
    kill('SIGINT');
    expect(await ended).toBe(130);
    const line = 2 * linesOf(service.requests[0]!).length + 1;
    expect(output.stderr).toContain(`not confirmed. The first is at line ${line} of ${file}.\n`);
  });

  it('resends lines on Ctrl-C if the service has not responded yet, and exits with 130', async () => {
    const service = await startService((_, response) => {
      if (service.requests.length > 2) sendJson(response, {});
    });
    const stdin = new PassThrough();
    const cli = startCommand(['ingest'], { env: accessTo(service.url), stdin });
    stdin.write('{"n":1}\nline\n');
    await expect.poll(() => service.requests.length).toBe(2);
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(130);
    expect(cli.output.stderr).toBe(`logclient: shipped 2 records to ${hostOf(service)}.\n`);
  });

  it('reads a pipe that another program writes to', async () => {
    const service = await startStrictService(() => false);
    const { ended, output } = startProcess(
      'bash',
      ['--norc', '-c', `'${process.execPath}' '${CLI_FILE}' ingest <(echo '{"n":1}'; echo text)`],
      { env: { PATH: process.env.PATH, ...accessTo(service.url) } },
    );
    expect(await ended).toBe(0);
    expect(output.stderr).toBe(`logclient: shipped 2 records to ${hostOf(service)}.\n`);
    expect(service.taken.sort()).toEqual(['text', '{"n":1}']);
  });

  it('ships lines appended to a renamed file, including its incomplete last line', async () => {
    const service = await startStrictService(() => false);
    await writeFile(file, 'one\n');
    const cli = startCommand(['ingest', '--follow', file], { env: accessTo(service.url) });
    await expect.poll(() => service.taken).toEqual(['one']);
    await rename(file, `${file}.1`);
    await writeFile(file, 'four\n');
    await appendFile(`${file}.1`, 'two\nthr');
    await expect.poll(() => service.taken).toEqual(['one', 'two', 'thr', 'four']);
    await writeFile(file, '5\n');
    await expect.poll(() => service.taken.at(-1)).toBe('5');
    cli.kill('SIGTERM');
    expect(await cli.ended).toBe(143);
  });
});
