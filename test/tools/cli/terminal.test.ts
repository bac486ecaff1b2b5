import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { accessTo, type CliRun, runCommand } from '../../helpers/cli-run.ts';

const BEGIN = Date.UTC(2026, 0, 1, 10);
const COUNT = 450;

const paths: string[] = [];

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer({ onRequest: ({ path }) => void paths.push(path) });
  const { url: baseUrl, repository, userToken } = server;
  const events = Array.from({ length: COUNT }, (_, n) => ({
    timestamp: BEGIN + n * 1000,
    attributes: { level: n % 3 === 0 ? 'error' : 'info', msg: `message ${n}`, n },
  }));
  await new LogClient({ baseUrl, repository, userToken }).ingestJsonData([{ events }]);
});
afterAll(() => server.close());

function query(words: readonly string[], terminal?: number): Promise<CliRun> {
  const env = { ...accessTo(server), NO_COLOR: '1' };
  return runCommand(['query', '--from', String(BEGIN), '--timezone', 'UTC', ...words], { env, terminal });
}

const messagesOf = ({ stdout }: CliRun): number[] =>
  [...stdout.matchAll(/message (\d+)/g)].map(([, n]) => Number(n));

describe('logclient query for events', () => {
  it.each([60, 100, 200])(
    'prints the newest 200, newest last, on a terminal of %i columns',
    async (columns) => {
      const run = await query([], columns);
      expect(messagesOf(run)).toEqual(Array.from({ length: 200 }, (_, index) => COUNT - 200 + index));
      expect(run.stderr).toMatch(
        /^newest 200 of 450 · 2026-01-01 10:00 to \d{4}-\S+ \S+ · \d\.\d s · -n all( for everything)?\n$/,
      );
    },
  );

  it('prints all events and their count on a terminal with -n all', async () => {
    const run = await query(['-n', 'all'], 100);
    expect(messagesOf(run)).toEqual(Array.from({ length: COUNT }, (_, index) => index));
    expect(run.stderr).toMatch(/^450 events · /);
  });

  it('prints the newest 3 of 450 events on a terminal with -n 3', async () => {
    const run = await query(['-n', '3'], 100);
    expect(messagesOf(run)).toEqual([447, 448, 449]);
    expect(run.stderr).toMatch(/^newest 3 of 450 · .* · -n all for everything\n$/);
  });

  it('prints all events to a pipe, newest first, without a footer, and reads them in one request', async () => {
    paths.length = 0;
    const run = await query([]);
    expect(paths.filter((path) => path.endsWith('/query'))).toHaveLength(1);
    const rows = run.stdout.trimEnd().split('\n');
    expect(rows.map((row) => Number(JSON.parse(row).n))).toEqual(
      Array.from({ length: COUNT }, (_, index) => COUNT - 1 - index),
    );
    expect(run.stderr).toBe('');
  });

  it('prints no footer with --quiet', async () => {
    expect((await query(['-q'], 100)).stderr).toBe('');
  });
});

describe('logclient query without results', () => {
  it('reports on a terminal how many events the interval has', async () => {
    const run = await query(['level=fatal'], 100);
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toMatch(
      /^no events match, of 450 events · 2026-01-01 10:00 to .*\nno event passes this step: level=fatal\n$/,
    );
  });

  it('names fields that no recent event has, and suggests a similar field', async () => {
    const { stderr } = await query(['levels=error | other=1'], 100);
    expect(stderr).toContain('\nNo recent event has the field "levels". Did you mean "level"?\n');
    expect(stderr).toContain('\nNo recent event has the field "other".\n');
  });

  it('names a field that no recent event has and by which the only row is grouped', async () => {
    const { stderr } = await query(['groupBy(levels)'], 100);
    expect(stderr).toMatch(/^1 row · .*\nNo recent event has the field "levels"\. Did you mean "level"\?\n$/);
  });

  it('names the step that no event passes, and a value in another case, also of a count and of explain', async () => {
    const hints = ['no event passes this step: level=ERROR', 'To ignore case, write level=/^ERROR$/i'];
    for (const words of [
      ['query', 'level=ERROR | count()'],
      ['explain', 'level=ERROR | count()'],
    ]) {
      const { stderr } = await runCommand([...words, '--from', String(BEGIN)], {
        env: accessTo(server),
        terminal: 100,
      });
      for (const hint of hints) expect(stderr).toContain(hint);
    }
  });

  it('reports how many events the interval has for a query with parameters, too', async () => {
    const run = await query(['level=?level', '--param', 'level=fatal'], 100);
    expect(run.stderr).toMatch(/^no events match, of 450 events · /);
  });

  it('suggests a longer --since if the interval has no events', async () => {
    const run = await query(['--to', String(BEGIN)], 100);
    const env = accessTo(server);
    const empty = await runCommand(['query', '--since', '1m'], { env, terminal: 100 });
    expect(messagesOf(run)).toEqual([0]);
    expect(empty.stderr).toContain('no events · last 1m · search further back with --since 7d');
    const long = await runCommand(['query', '--from', '2000d', '--to', '1000d'], { env, terminal: 100 });
    expect(long.stderr).toContain('no events · ');
    expect(long.stderr).not.toContain('search further back');
  });

  it('runs one more query for the report and exits with 0 even if that query fails', async () => {
    const fault = server.faults.add({ method: 'POST', path: 'queryjobs', status: 403, after: 1 });
    const run = await query(['level=fatal'], 100);
    fault.remove();
    expect(fault.hits).toBe(1);
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toMatch(/^no events match · 2026-01-01 10:00 to .*\n$/);
  });

  it('explains it in a pipe on stderr, too, except with --quiet, and with conditions for the exit status', async () => {
    const { code, stdout, stderr } = await query(['level=fatal']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/^no events match, of 450 events · .*\nno event passes this step: level=fatal\n$/);
    for (const flag of ['--quiet', '--fail-on-match']) {
      expect(await query(['level=fatal', flag])).toEqual({ code: 0, stdout: '', stderr: '' });
    }
  });
});

it.each([100, undefined])(
  'logclient files list reports an empty list on stderr: width %s',
  async (terminal) => {
    const run = await runCommand(['files', 'list', '-o', 'table'], { env: accessTo(server), terminal });
    expect(run).toEqual({ code: 0, stdout: '', stderr: 'logclient: the list is empty.\n' });
  },
);
