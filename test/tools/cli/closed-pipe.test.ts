import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { CLI_FILE, startCli, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, hostOf, startCommand } from '../../helpers/cli-run.ts';
import { eventually } from '../../helpers/eventually.ts';
import { lawCases } from '../../helpers/laws.ts';

let server: LocalServer;
let folder: string;
let file: string;
beforeAll(async () => {
  server = await startLocalServer();
  const { url: baseUrl, repository, userToken } = server;
  const client = new LogClient({ baseUrl, repository, userToken });
  await client.ingestJsonData([{ events: [{ timestamp: Date.now(), attributes: { n: 1 } }] }]);
  folder = await mkdtemp(join(tmpdir(), 'logclient-closed-pipe-'));
  file = join(folder, 'app.log');
  await writeFile(file, '{"n":1}\n');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Commands that write a line and then wait. FILE is a log file. */
const WAITING: readonly (readonly string[])[] = [
  ['tail'],
  ['query', '--live', 'count()'],
  ['query', '--stdin'],
];

function wordsOf(words: readonly string[]): string[] {
  return words.map((word) => (word === 'FILE' ? file : word));
}

describe.each(lawCases(WAITING, 1).map((words) => ({ words, name: words.join(' ') })))(
  'logclient $name',
  ({ words }) => {
    it('exits with 0 when the reader of its pipe exits, without another line to write', async () => {
      const command = [process.execPath, CLI_FILE, ...wordsOf(words)].map((word) => `'${word}'`).join(' ');
      const script = `{ ${command}; echo "code $?" >&2; } | head -n 1`;
      const { child, output, ended } = startProcess('bash', ['-c', script], {
        env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', ...accessTo(server) },
      });
      child.stdin!.write('{"n":1}\n');
      await eventually(() => expect(output.stderr).toBe('code 0\n'));
      expect(await ended).toBe(0);
      expect(output.stdout).toContain('1');
    });

    it('exits with 0 when the reader of its socket exits', async () => {
      const cli = startCli(wordsOf(words), accessTo(server));
      cli.child.stdin!.write('{"n":1}\n');
      await eventually(() => expect(cli.output.stdout).toContain('1'));
      cli.child.stdout!.destroy();
      expect(await cli.ended).toBe(0);
      expect(cli.output.stderr).toBe('');
    });
  },
);

it('logclient ingest --echo ships all lines, also after the reader of its pipe exits', async () => {
  const lines = join(folder, 'many.log');
  await writeFile(lines, '{"n":2}\n'.repeat(300));
  const command = `'${process.execPath}' '${CLI_FILE}' ingest --echo '${lines}'`;
  const script = `{ ${command}; echo "code $?" >&2; } | true`;
  const env = { PATH: process.env.PATH, HOME: folder, ...accessTo(server) };
  const { output, ended } = startProcess('bash', ['-c', script], { env });
  expect(await ended).toBe(0);
  expect(output.stderr).toBe(
    `logclient: shipped 300 records to ${hostOf(server)}, repository sandbox.\ncode 0\n`,
  );
});

describe('Signals', () => {
  const commands = [
    ['tail'],
    ['query', '--live', 'count()'],
    ['ingest', '--follow', '--echo', '-q', 'FILE'],
    ['view', 'FILE', '--port', '0', '--no-open'],
    ['ui', '--port', '0', '--no-open'],
  ];
  const signals = [
    ['SIGINT', 0],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const;

  const STARTED = /\d\D*\n|Ctrl-C/;

  it.each(commands.flatMap((words) => signals.map(([signal, code]) => ({ words, signal, code }))))(
    'logclient $words exits on $signal with $code',
    async ({ words, signal, code }) => {
      const { output, ended, kill } = startCommand(wordsOf(words), { env: accessTo(server) });
      await eventually(() => expect(output.stdout).toMatch(STARTED));
      kill(signal);
      expect(await ended).toBe(code);
    },
  );

  it.each(signals)('exit the process of logclient on %s with %i', async (signal, code) => {
    const { child, output, ended } = startCli(['tail'], accessTo(server));
    await eventually(() => expect(output.stdout).toMatch(STARTED));
    child.kill(signal);
    expect(await ended).toBe(code);
  });
});
