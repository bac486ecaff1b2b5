import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { LiveScreen } from '../../../src/tools/output/live-screen.ts';
import { CLI_FILE, hasProgram, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { startService } from '../../helpers/http-service.ts';
import { cases } from '../../helpers/laws.ts';

const ESCAPE = '\u001b';

/** What a terminal shows after a text, supporting only the sequences in it. */
function screenOf(text: string): string[] {
  const lines = [''];
  let row = 0;
  const pattern = new RegExp(`${ESCAPE}\\[(\\??\\d*;?\\d*)([A-Za-z])|\\r|\\n|[^${ESCAPE}\\r\\n]+`, 'g');
  for (const [part, count, command] of text.matchAll(pattern)) {
    if (part === '\n') {
      row++;
      lines[row] ??= '';
    } else if (command === 'A') row -= Number(count);
    else if (command === 'J') lines.splice(row, Number.POSITIVE_INFINITY, '');
    else if (command === undefined && part !== '\r') lines[row] += part;
  }
  return lines;
}

describe('LiveScreen', () => {
  it('replaces its previous output', () => {
    const picture = fc.array(fc.stringMatching(/^[a-z ]{0,20}$/), { maxLength: 12 });
    fc.assert(
      fc.property(fc.array(picture, { minLength: 1, maxLength: 6 }), (pictures) => {
        const screen = new LiveScreen();
        const size = { columns: 40, rows: 30 };
        const text = pictures.map((lines) => screen.draw(lines.join('\n'), 'status', size)).join('');
        const last = pictures.at(-1)!.join('\n').replace(/\n$/, '').split('\n');
        expect(screenOf(text)).toEqual([...last, '', 'status', '']);
      }),
      cases(),
    );
  });

  it('fits the terminal, and shows the status and the number of hidden lines', () => {
    const text = new LiveScreen().draw('a\n'.repeat(50), 'status', { columns: 20, rows: 10 });
    expect(screenOf(text)).toEqual(['a', 'a', 'a', 'a', 'a', 'a', '… 44 more lines', '', 'status', '']);
  });
});

describe('logclient query --live', () => {
  let server: LocalServer;
  let client: LogClient;
  beforeAll(async () => {
    server = await startLocalServer();
    const { url: baseUrl, repository, userToken } = server;
    client = new LogClient({ baseUrl, repository, userToken });
    await send('error');
  });
  afterAll(() => server.close());

  async function send(level: string): Promise<void> {
    await client.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes: { level } }] }]);
  }

  it('writes each result to a pipe as a JSON array on one line, and deletes its query job on Ctrl-C', async () => {
    const cli = startCommand(['query', '--live', 'groupBy(level)'], { env: accessTo(server) });
    const results = (): unknown[] =>
      cli.output.stdout
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as unknown);
    const error = { level: 'error', _count: '1' };
    await expect.poll(results).toEqual([[error]]);
    await send('warn');
    const second = [error, { level: 'warn', _count: '1' }];
    await expect.poll(results).toEqual([[error], second]);
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('ends each CSV result with an empty line', async () => {
    const cli = startCommand(['query', '--live', 'count()', '-o', 'csv'], { env: accessTo(server) });
    await expect.poll(() => cli.output.stdout).toMatch(/^_count\n\d+\n\n$/);
    cli.kill('SIGTERM');
    expect(await cli.ended).toBe(143);
  });

  it('reports a lost connection and its end, like tail', async () => {
    let polls = 0;
    const service = await startService(({ method }, response) => {
      if (method === 'POST') return response.end('{"id":"job"}');
      if (method === 'DELETE') return response.end();
      const isLost = polls++ > 0 && polls < 5;
      if (isLost) return response.writeHead(503, { 'retry-after': '0' }).end();
      const result = {
        done: true,
        events: [{ _count: '1' }],
        metaData: { isAggregate: true, pollAfter: 1, extraData: {}, warnings: [] },
      };
      return response.end(JSON.stringify(result));
    });
    const access = { url: service.url, repository: 'r', userToken: 'token-1234', ingestToken: '' };
    const cli = startCommand(['query', '--live', 'count()'], { env: accessTo(access) });
    await expect
      .poll(() => cli.output.stderr)
      .toBe(
        `logclient: connection lost; reconnecting … ${service.url} is too busy (status 503). Try again in 0 s.\nlogclient: connected again.\n`,
      );
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stdout).toBe('[{"_count":"1"}]\n');
  });

  it.skipIf(!hasProgram('script'))('updates the table in place on a terminal until Ctrl-C', async () => {
    const command = `stty rows 20 cols 60; exec '${process.execPath}' '${CLI_FILE}' query --live 'level=fatal | count()'`;
    const { child, output, ended } = startProcess('script', ['-qfec', command, '/dev/null'], {
      env: { PATH: process.env.PATH, SHELL: '/bin/sh', TERM: 'xterm', NO_COLOR: '1', ...accessTo(server) },
    });
    const shown = (): string => screenOf(output.stdout.replaceAll('\r\n', '\n')).join('\n');
    await expect.poll(shown).toMatch(/^_count\n─{6}\n {5}0\n\n.*, 1 row; Ctrl-C to stop\n/);
    await send('fatal');
    await expect.poll(shown).toMatch(/^_count\n─{6}\n {5}1\n\n.*, 1 row; Ctrl-C to stop\n/);
    child.stdin!.write('\u0003');
    expect(await ended).toBe(0);
  });

  it.each([
    [['--stdin'], /--live and --stdin can't be combined/],
    [['--fail-on-match'], /--live and --fail-on-match can't be combined/],
    [['--to', '5m'], /--live and --to can't be combined/],
    [['--from', '2026-01-01'], /Pass --since with a time such as 15m/],
  ])('rejects --live with %j', async (words, message) => {
    const run = await runCommand(['query', '--live', ...words], { env: accessTo(server) });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(message) });
  });
});
