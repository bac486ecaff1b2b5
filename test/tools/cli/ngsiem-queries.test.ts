import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { LocalServer, NgsiemServer } from '../../../src/server/index.ts';
import { startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';
import { startServiceOfKind } from '../../helpers/service-kinds.ts';

beforeAll(() => void vi.setConfig({ testTimeout: 60_000 }));

const accessTo = (server: LocalServer | NgsiemServer): Record<string, string> => {
  const { url, clientId, clientSecret } = server as NgsiemServer;
  return {
    FALCON_BASE_URL: url,
    FALCON_CLIENT_ID: clientId,
    FALCON_CLIENT_SECRET: clientSecret,
    LOGSCALE_REPOSITORY: 'search-all',
  };
};

async function start(count: number) {
  const { server, log } = await startServiceOfKind('ngsiem');
  let next = 0;
  let last = 0;
  const send = (more: number): Promise<void> => {
    // Later events are newer: a tail with --last starts at the time of the oldest event that it shows.
    const first = Math.max(last + 1, Date.now() - more);
    last = first + more - 1;
    return log(
      Array.from({ length: more }, (_, n) => ({ timestamp: first + n, attributes: { n: String(next++) } })),
    );
  };
  await send(count);
  return { server, send, run: (...words: string[]) => startCommand(words, { env: accessTo(server) }) };
}

describe('Next-Gen SIEM', () => {
  it('logclient tail prints the last events and each new one, and deletes its query jobs on Ctrl-C', async () => {
    const { server, send, run } = await start(5);
    const cli = run('tail', 'n=*', '--last', '2', '--template', '{n}');
    await eventually(() => expect(cli.output.stdout).toBe('3\n4\n'));
    await send(300);
    const numbers = Array.from({ length: 302 }, (_, n) => `${n + 3}\n`).join('');
    await eventually(() => expect(cli.output.stdout).toBe(numbers));
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stderr).toBe('');
    await expect.poll(() => server.inspect.jobs()).toEqual([]);
  });

  it('logclient tail suggests logclient query for an aggregate', async () => {
    const { run } = await start(1);
    const cli = run('tail', 'count()');
    expect(await cli.ended).toBe(2);
    expect(cli.output.stderr).toContain('Use "logclient query", with --live for updates.');
  });

  it.each(['n=*', 'n=* | select(n)'])('logclient query returns all 450 events of %s', async (query) => {
    const { run } = await start(450);
    const cli = run('query', query, '--template', '{n}');
    expect(await cli.ended).toBe(0);
    expect(cli.output.stdout.trim().split('\n').map(Number)).toEqual(
      Array.from({ length: 450 }, (_, n) => 449 - n),
    );
  });

  it('logclient query --live prints each new result of an aggregate', async () => {
    const { send, run } = await start(1);
    const cli = run('query', 'count()', '--live', '--json');
    await eventually(() => expect(cli.output.stdout).toBe('[{"_count":"1"}]\n'));
    await send(2);
    await eventually(() => expect(cli.output.stdout).toBe('[{"_count":"1"}]\n[{"_count":"3"}]\n'));
    cli.kill('SIGINT');
    expect(await cli.ended).toBe(0);
  });
});
