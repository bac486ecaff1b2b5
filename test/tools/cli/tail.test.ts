import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startService } from '../../helpers/http-service.ts';

let server: LocalServer;
let client: LogClient;
let next = 0;
beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  client = new LogClient({ baseUrl, repository, userToken });
  await send(5);
});
afterAll(() => server.close());

async function send(count: number): Promise<void> {
  const events = Array.from({ length: count }, () => ({
    timestamp: Date.now(),
    attributes: { level: 'info', n: next++ },
  }));
  await client.ingestJsonData([{ events }]);
}

describe('logclient tail', () => {
  it('prints the --last events, then each new one, and exits with 0 on Ctrl-C', async () => {
    const words = ['tail', 'level=info', '--last', '2', '--template', '{n}'];
    const cli = startCommand(words, { env: accessTo(server) });
    await eventually(() => expect(cli.output.stdout).toBe('3\n4\n'));
    await send(2);
    await eventually(() => expect(cli.output.stdout).toBe('3\n4\n5\n6\n'));
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('exits after the newest --limit events with --json, and after the first ones since a time with -o csv', async () => {
    const run = (...words: string[]) =>
      runCommand(['tail', '--limit', '2', ...words], { env: accessTo(server) });
    expect((await run('--json', '--fields', 'n')).stdout).toBe(
      `[\n{"n":"${next - 2}"},\n{"n":"${next - 1}"}\n]\n`,
    );
    expect((await run('--since', '1h', '-o', 'csv', '--fields', 'level,n')).stdout).toBe(
      'level,n\ninfo,0\ninfo,1\n',
    );
  });

  it('reports the repository and its URL on stderr on a terminal, and nothing with -q', async () => {
    const terminal = await runCommand(['tail', '--limit', '1'], { env: accessTo(server), terminal: 80 });
    expect(terminal.stderr).toBe(`logclient: tailing sandbox at ${server.url}; press Ctrl-C to stop.\n`);
    const quiet = await runCommand(['tail', '--limit', '1', '-q'], { env: accessTo(server), terminal: 80 });
    expect(quiet.stderr).toBe('');
  });

  it('says that there is no file if the query looks like its path, and nothing with -q', async () => {
    const note = 'logclient: there is no file none.log; searching for this text.\n';
    for (const [words, stderr] of [
      [[], note],
      [['-q'], ''],
    ] as const) {
      const cli = startCommand(['tail', 'none.log', ...words], { env: accessTo(server) });
      await eventually(() => expect(server.inspect.store().liveStreams).toBe(1));
      cli.kill('SIGINT');
      expect(await cli.ended).toBe(0);
      expect(cli.output.stderr).toBe(stderr);
      await eventually(() => expect(server.inspect.store().liveStreams).toBe(0));
    }
  });

  it('names a field that no recent event has on a terminal, as long as no event is found', async () => {
    const cli = startCommand(['tail', 'levle=info'], { env: accessTo(server), terminal: 80 });
    await eventually(() =>
      expect(cli.output.stderr).toContain('No recent event has the field "levle". Did you mean "level"?\n'),
    );
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
  });

  it.each([
    ['reports a lost connection and its end once, if the next attempt fails, too', [503, 503, 503], 1],
    ['does not report a connection that is closed and opened again', [], 0],
  ])('%s', async (_, failures, reports) => {
    let count = 0;
    const service = await startService((__, response) => {
      const status = failures[count++ - 1];
      if (status !== undefined) return response.writeHead(status, { 'retry-after': '0' }).end();
      const line = `{"@id":"${count}","@timestamp":${Date.now()},"n":"${count}"}\n`;
      return count === 1 ? response.end(line) : response.write(line);
    });
    const access = { url: service.url, repository: 'r', userToken: 'token-1234', ingestToken: '' };
    const words = ['tail', '--since', '1m', '--limit', '2', '--template', '{n}'];
    const { stdout, stderr } = await runCommand(words, { env: accessTo(access) });
    expect(stdout).toBe(`1\n${2 + failures.length}\n`);
    expect(stderr).toBe(
      `logclient: connection lost; reconnecting … ${service.url} is too busy (status 503). Try again in 0 s.\nlogclient: connected again.\n`.repeat(
        reports,
      ),
    );
  });

  it.each(['level=fatal | groupBy(level)', 'level=fatal | count()'])(
    'rejects %s before an event arrives',
    async (query) => {
      const { code, stderr } = await runCommand(['tail', query], { env: accessTo(server) });
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('shows only events') });
    },
  );

  it('skips events that match --exclude and counts only the others toward --limit', async () => {
    const shown = async (...words: string[]) =>
      (await runCommand(['tail', '--template', '{n}', ...words], { env: accessTo(server) })).stdout;
    expect(await shown('--exclude', '"n":0', '--exclude', '/"N":[23]\\b/i', '--limit', '2')).toBe('1\n4\n');
    // The only data is the result of the query.
    expect(await shown('select([n, @timestamp, @id])', '--exclude', '/\\bn=[0-3]\\b/', '--limit', '1')).toBe(
      '4\n',
    );
  });

  it('marks --highlight matches if colors are on, and keeps the other colors', async () => {
    const shown = async (...words: string[]) =>
      (await runCommand(['tail', '-o', 'table', '--limit', '1', ...words], { env: accessTo(server) })).stdout;
    const marked = await shown(
      '--color',
      'always',
      '--highlight',
      '/IN/i',
      '--highlight',
      'fo',
      '--highlight',
      '.',
    );
    expect(marked).toContain('\u001b[7minfo\u001b[27m');
    expect(marked).toContain('\u001b[7m.\u001b[27m');
    const unmarked = marked.replaceAll('\u001b[7m', '').replaceAll('\u001b[27m', '');
    expect(unmarked).toBe(await shown('--color', 'always'));
    expect(await shown('--highlight', 'info')).toBe(await shown());
  });

  it.each([
    ['--exclude', '/(/', /Invalid regular expression/],
    ['--highlight', '', /must be text or a regular expression/],
  ])('rejects %s %j', async (flag, value, message) => {
    expect(await runCommand(['tail', flag, value])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(message),
    });
  });

  it('rejects --since together with --last', async () => {
    expect(await runCommand(['tail', '--since', '1h', '--last', '2'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--since and --last can't be combined"),
    });
  });
});
