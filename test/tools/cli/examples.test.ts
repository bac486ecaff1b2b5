import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Command } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { type Example, examplesOf } from '../../../src/tools/cli/examples.ts';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { CLI_FILE, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, runCommand, startCommand } from '../../helpers/cli-run.ts';
import { type PlainLine, plainLine } from '../../helpers/plain-line.ts';
import { stateOf, writeStateFile } from '../../helpers/state-file.ts';

/** Commands that run until a signal; the test stops them when they have printed this. */
const ENDLESS: Readonly<Record<string, RegExp>> = {
  'logclient serve': /Press Ctrl-C to stop/,
  'logclient serve --open': /Press Ctrl-C to stop/,
  'logclient serve --ngsiem': /Press Ctrl-C to stop/,
  'logclient serve --port 0 --data-dir logs': /Press Ctrl-C to stop/,
  "logclient query --live 'groupBy(level)' --since 15m": /"level"/,
  "logclient query --follow app.log 'level=error'": /"level"/,
  "logclient tail --exclude /healthz --highlight '/time ?out/i'": /"msg"/,
  'logclient tail': /"msg"/,
  "logclient tail 'level=error #service=shop' --last 50": /"msg"/,
  'logclient ingest --follow app.log': /^$/,
  'logclient ui --repository shop': /page +http/,
  'logclient play': /page +http/,
  'logclient view app.log': /page +http/,
  'logclient view --follow api.log worker.log': /page +http/,
};
/** Not available on every computer, run by test/tools/cli/auth.test.ts, endless in a pipe, or for editors. */
const FOREIGN =
  /\| jq |logclient completion (zsh|fish)|logclient auth log(in|out)|--profile |\| logclient view|logclient language-server/;

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)];
}

const program = createProgram();
const commands = everyCommand(program);
const examples = commands.flatMap((command) => examplesOf(command).map(([line]: Example) => line));

const testCase = (fields: string): string =>
  `testCases: [{ event: { rawString: level=error }, assertions: [{ outputEventIndex: 0, fieldsHaveValues: { ${fields} } }] }]\n`;

/** A parser that follows the CrowdStrike Parsing Standard. */
const STANDARD_PARSER = `name: mail
script: |
  kvParse(prefix="Vendor.")
  | Cps.version := "1.1.0" | Parser.version := "1.0.0" | Vendor := "shop" | ecs.version := "8.11.0"
  | event.kind := "event" | event.module := "mail"
tagFields: [Cps.version, Vendor, ecs.version, event.kind, event.module]
${testCase("'#Vendor': shop")}`;

describe('Examples in --help', () => {
  let server: LocalServer;
  let folder: string;
  let env: Record<string, string>;
  const ownFolder = process.cwd();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logclient-examples-'));
    server = await startLocalServer();
    const command = join(folder, 'logclient');
    await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${CLI_FILE}' "$@"\n`, { mode: 0o755 });
    const template = `name: web\nscript: kvParse()\n${testCase('level: error')}`;
    const tests = 'tests: [{ events: [{ level: error }], rows: [{ _count: 1 }] }]\n';
    await Promise.all(['src', 'queries', 'parsers', 'logs'].map((name) => mkdir(join(folder, name))));
    const line = JSON.stringify({ level: 'error', msg: 'no', ms: 900, time: Date.now() });
    await Promise.all([
      // The browsers of Linux and macOS do nothing.
      ...['xdg-open', 'open'].map((name) => writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 })),
      writeFile(join(folder, 'app.log'), `${line}\n${line}\n`),
      ...['before.log', 'after.log'].map((name) => writeFile(join(folder, name), `${line}\n`)),
      writeFile(join(folder, 'logs/web.log'), `${line}\n`),
      writeFile(join(folder, 'other.log'), 'a line\n'),
      writeFile(join(folder, 'api.log'), 'a line\n'),
      writeFile(join(folder, 'worker.log'), 'a line\n'),
      writeFile(join(folder, 'app.js'), `console.log(${JSON.stringify(line)})\n`),
      writeFile(
        join(folder, 'access.log'),
        '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5\n',
      ),
      writeFile(join(folder, 'hosts.csv'), 'host,team\nweb-1,shop\n'),
      writeFile(join(folder, 'parser.lql'), 'kvParse()\n'),
      writeFile(join(folder, 'query.lql'), 'level=error | count()\n'),
      writeFile(join(folder, 'web.yaml'), template),
      writeFile(join(folder, 'parsers/mail.yaml'), STANDARD_PARSER),
      writeFile(join(folder, 'queries/errors.lql'), 'level=error | count()\n'),
      writeFile(join(folder, 'queries/errors.test.yaml'), tests),
    ]);
    env = {
      ...accessTo(server),
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      HOME: folder,
      NO_COLOR: '1',
    };
    await writeStateFile(join(folder, '.local/state'), stateOf(server));
    await prepareService();
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(ownFolder);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function prepareService(): Promise<void> {
    const { url: baseUrl, repository, userToken } = server;
    const client = new LogClient({ baseUrl, repository, userToken });
    const event = { timestamp: Date.now(), attributes: { level: 'error', msg: 'no', ms: 900 } };
    await Promise.all([
      client.ingestJsonData([{ tags: { service: 'shop' }, events: [event, event, event] }]),
      client.createUser('ann@example.com'),
      client.createUser('eve@example.com'),
      client.createSavedQuery('errors', 'level=error'),
      client.addIngestToken('old'),
      client.createParser('old', 'kvParse()'),
      client.createRepository('old-web'),
      client.createRepository('shop'),
      client.createView('old-view', [{ repositoryName: repository, filter: '*' }]),
      client.createView('shop-errors', [{ repositoryName: repository, filter: 'level=error' }]),
      client.uploadFile({ name: 'hosts.csv', content: 'host,team\nweb-1,shop\n' }),
    ]);
  }

  it('exist for every command except the help topics', () => {
    const silent = commands.filter(
      (command) => command.commands.length === 0 && examplesOf(command).length === 0,
    );
    expect(silent.map((command) => command.name())).toEqual([
      'exit-codes',
      'environment',
      'connection',
      'output',
    ]);
    expect(examples.length).toBeGreaterThan(35);
    expect(Object.keys(ENDLESS).filter((line) => !examples.includes(line))).toEqual([]);
  });

  // One test, because some examples delete what others create. It starts dozens of processes, hence the time limit.
  it('exit with 0 and print no error when pasted', { timeout: 120_000 }, async () => {
    for (const line of examples.filter((example) => !FOREIGN.test(example))) {
      // A program writes to the output of the test runner.
      const plain = line.includes(' -- ') ? undefined : plainLine(line);
      const { code, stderr } = await (plain === undefined ? runInShell(line) : runPlain(line, plain));
      expect({ line, code, stderr }).toEqual({
        line,
        code: 0,
        stderr: expect.not.stringMatching(
          /^logclient: (?!shipped|uploaded|wrote|deleted|set the description|removed the parser|the query is valid|port \d+ is in use|using the local server at|local server listening at|read \d+ records?|\d+ tests? passed|no secrets, of|[\d,]+ bytes for|no changes between|1 file up to date)/m,
        ),
      });
    }
  });

  async function runPlain(line: string, { words, stdin = '' }: PlainLine) {
    const pattern = ENDLESS[line];
    if (pattern === undefined) return runCommand(words, { env, stdin });
    // Other tests use the default ports.
    const isServe = words[0] === 'serve' && !words.includes('--port');
    const { output, ended, kill } = startCommand(isServe ? [...words, '--port', '0'] : words, { env, stdin });
    const shipped = server.inspect.store().events;
    await expect
      .poll(() =>
        pattern.source === '^$' ? server.inspect.store().events > shipped : pattern.test(output.stdout),
      )
      .toBe(true);
    kill('SIGINT');
    return { code: await ended, stderr: output.stderr };
  }

  async function runInShell(line: string): Promise<{ code: unknown; stderr: string }> {
    const { child, output, ended } = startProcess('bash', ['-c', line], { cwd: folder, env });
    child.stdin!.end();
    return { code: await ended, stderr: output.stderr };
  }
});
