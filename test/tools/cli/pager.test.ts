import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { pagerCommand } from '../../../src/tools/output/pager.ts';
import { CLI_FILE, hasProgram, startProcess } from '../../helpers/cli-process.ts';
import { accessTo } from '../../helpers/cli-run.ts';

const COUNT = 3_000;
/** Shown on slow machines, and removed again. */
const CLEAR = '\r\u001b\\[K';
const PROGRESS = new RegExp(`(?:${CLEAR}[^\\r\\n]*)*${CLEAR}`, 'g');

let server: LocalServer;
beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  const events = Array.from({ length: COUNT }, (_, n) => ({
    timestamp: Date.now() - COUNT + n,
    attributes: { msg: `message ${n}`, n },
  }));
  await new LogClient({ baseUrl, repository, userToken }).ingestJsonData([{ events }]);
});
afterAll(() => server.close());

/** What a terminal shows, and how the command ended. */
async function onTerminal(
  command: string,
  env: Record<string, string>,
): Promise<{ text: string; code: unknown }> {
  const { output, ended } = startProcess(
    'script',
    ['-qec', `stty cols 100 rows 24; ${process.execPath} ${CLI_FILE} ${command}`, '/dev/null'],
    { env: { PATH: process.env.PATH, HOME: '/nonexistent', NO_COLOR: '1', ...accessTo(server), ...env } },
  );
  const code = await ended;
  return { text: output.stdout.replaceAll('\r\n', '\n').replace(PROGRESS, ''), code };
}

describe.skipIf(!hasProgram('script'))('Pager', () => {
  it('shows events from the end on a terminal, with the footer printed after it is closed', async () => {
    const { text, code } = await onTerminal('query -n 50', {
      PAGER: 'echo "LESS=$LESS LV=$LV"; sed "s/^/| /"',
    });
    const lines = text.trimEnd().split('\n');
    expect(lines[0]).toBe('LESS=FRX+G LV=-c');
    expect(lines.slice(1, -1)).toHaveLength(50);
    expect(lines.slice(1, -1).every((line) => line.startsWith('| '))).toBe(true);
    expect(lines.at(-2)).toContain(`message ${COUNT - 1}`);
    expect(lines.at(-1)).toMatch(/^newest 50 of 3,000 · /);
    expect(code).toBe(0);
  });

  it('opens at the start for a table or a list, and keeps LESS if it is set', async () => {
    const PAGER = 'echo "LESS=$LESS"; cat';
    expect((await onTerminal("query 'count()'", { PAGER })).text).toMatch(/^LESS=FRX\n_count/);
    expect((await onTerminal('repositories list', { PAGER, LESS: 'i' })).text).toMatch(/^LESS=i\nname /);
  });

  it('ends the command with exit code 0 if it quits early', async () => {
    const run = await onTerminal('query -o ndjson -n all', { LOGCLIENT_PAGER: 'head -n 1', PAGER: 'false' });
    expect(run.text.match(/message/g)).toHaveLength(2);
    expect(run.code).toBe(0);
  });

  it('makes the command exit with 1 and a message if it cannot be run', async () => {
    const { text, code } = await onTerminal('query', { PAGER: 'no-such-pager' });
    expect(text).toContain(
      'logclient: can\'t run the pager "no-such-pager". Set LOGCLIENT_PAGER to another command, or pass --no-pager.\n',
    );
    expect(code).toBe(1);
  });

  it.each(['query -n 5 --no-pager', 'query -n 5 level=fatal', 'query --help', 'tail --last 3 -n 3'])(
    'is not used for logclient %s',
    async (command) => {
      const { text, code } = await onTerminal(command, { PAGER: 'sed "s/^/| /"' });
      expect(text).not.toMatch(/^\|/m);
      expect(code).toBe(0);
    },
  );
});

it.each([
  [{}, undefined],
  [{ PAGER: 'less -S' }, 'less -S'],
  [{ PAGER: 'less', LOGCLIENT_PAGER: 'more' }, 'more'],
  [{ PAGER: 'less', LOGCLIENT_PAGER: '' }, undefined],
  [{ PAGER: 'cat' }, undefined],
])('pagerCommand(%j) returns %j', (environment, command) => {
  expect(pagerCommand(environment)).toBe(command);
});
