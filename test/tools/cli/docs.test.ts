import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import type { Option } from 'commander';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CONNECTION_VARIABLES } from '../../../src/core/environment.ts';
import { LogClient } from '../../../src/index.ts';
import { type LocalServer, startLocalServer } from '../../../src/server/index.ts';
import { createProgram } from '../../../src/tools/cli/program.ts';
import { blocksOf } from '../../docs/markdown-blocks.ts';
import { CLI_FILE, startProcess } from '../../helpers/cli-process.ts';
import { accessTo, runCommand } from '../../helpers/cli-run.ts';
import { plainLine } from '../../helpers/plain-line.ts';
import { commandReference, leaves } from './command-reference.ts';

const PAGES = resolve(import.meta.dirname, '../../../docs');
const guide = await readFile(join(PAGES, 'cli.md'), 'utf8');
const REFERENCE = join(PAGES, 'commands.md');
/** The text above this line is handwritten. */
const MARKER = '<!-- Below: npx vitest run test/tools/cli/docs.test.ts -u -->';
const TOPICS = ['exit-codes', 'environment', 'connection', 'output'];
const commands = createProgram().commands.filter((command) => !TOPICS.includes(command.name()));

const blocks = blocksOf(guide)
  .filter(({ language }) => language === 'sh')
  .map((block, i) => ({ ...block, number: i + 1 }));

describe('docs/commands.md', () => {
  it('documents every command with the flags in its help', async () => {
    const [handWritten = ''] = (await readFile(REFERENCE, 'utf8')).split(MARKER);
    const text = `${handWritten}${MARKER}\n\n${commandReference(commands)}\n`;
    await expect(text).toMatchFileSnapshot(REFERENCE);
  });

  it.each(['Output:', 'Connection:'])(
    'can list the flags under %s once, because no command has others than the first',
    (group) => {
      const lineOf = ({ flags, description }: Option) => `${flags} ${description}`;
      const lists = leaves(commands)
        .map(({ options }) => options.filter((option) => option.helpGroupHeading === group).map(lineOf))
        .filter((options) => options.length > 0);
      expect(lists.length).toBeGreaterThan(10);
      for (const list of lists) expect(lists[0]).toEqual(expect.arrayContaining(list));
    },
  );
});

it('docs/commands.md documents every environment variable of a connection', async () => {
  const [handWritten = ''] = (await readFile(REFERENCE, 'utf8')).split(MARKER);
  expect(CONNECTION_VARIABLES.filter((name) => !handWritten.includes(`\`${name}\``))).toEqual([]);
});

describe('Commands in docs/cli.md', () => {
  let server: LocalServer;
  let folder: string;
  let env: Record<string, string>;
  const ownFolder = process.cwd();

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'logclient-cli-page-'));
    server = await startLocalServer();
    const { url: baseUrl, repository, userToken } = server;
    const logclient = `exec '${process.execPath}' '${CLI_FILE}' "$@"\n`;
    const line = JSON.stringify({ level: 50, msg: 'no more tea', ms: 900, time: Date.now() });
    const texts = {
      logclient: `#!/bin/sh\n${logclient}`,
      npx: `#!/bin/sh\nshift\n${logclient}`,
      docker: '#!/bin/sh\ncat app.log\n',
      'app.js': `console.log(${JSON.stringify(line)})\n`,
      'app.log': `${line}\n${line}\n`,
      'logs/web.log': `${line}\n`,
      'access.log': '127.0.0.1 - - [10/Oct/2026:13:55:36 +0000] "GET / HTTP/1.1" 200 5\n',
      'parser.lql': 'parseJson()\n',
      'queries/errors.lql': 'level=error | groupBy(service)\n',
      'token.txt': `${userToken}\n`,
      '.humio/config.yaml': `profiles:\n  staging:\n    address: ${baseUrl}\n    token: ${userToken}\n`,
    };
    await Promise.all(['.humio', 'src', 'queries', 'logs'].map((name) => mkdir(join(folder, name))));
    for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
    await Promise.all(['logclient', 'npx', 'docker'].map((name) => chmod(join(folder, name), 0o755)));
    const event = { timestamp: Date.now(), attributes: { level: 'error', msg: 'no more tea', ms: 900 } };
    const client = new LogClient({ baseUrl, repository, userToken });
    await client.ingestJsonData([{ tags: { service: 'shop' }, events: [event, event, event] }]);
    env = {
      ...accessTo(server),
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      HOME: folder,
      NO_COLOR: '1',
    };
    process.chdir(folder);
  });
  afterAll(async () => {
    process.chdir(ownFolder);
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(blocks)('exit with 0 and print no error when pasted: $title ($number)', async ({ text }) => {
    for (const line of commandsIn(text)) {
      const plain = plainLine(line);
      const run =
        plain === undefined ? await runInShell(line) : await runCommand(plain.words, { env, ...plain });
      expect({ line, ...run }).toMatchObject({
        code: 0,
        stderr: expect.not.stringMatching(
          /^logclient: (?!shipped|the query is valid|no secrets, of|LogScale at )/m,
        ),
      });
    }
  });

  /** The lines of a block; one command if it spans several lines. */
  function commandsIn(text: string): string[] {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return lines.some((line) => /\\$|^ /.test(line)) ? [text] : lines;
  }

  async function runInShell(line: string) {
    const words = ['-c', `set -eo pipefail\n${line}`];
    const { child, output, ended } = startProcess('bash', words, { cwd: folder, env });
    child.stdin!.end();
    return { code: await ended, ...output };
  }
});
