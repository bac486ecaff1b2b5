import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsOfAnswer } from '../../docs/site/.vitepress/theme/run-query.ts';
import { TUTORIAL, TUTORIAL_CONTENTS } from '../../docs/site/.vitepress/theme/tutorial-examples.ts';
import { LogClient } from '../../src/index.ts';
import { openBrowserServer } from '../../src/server/browser/browser-server.ts';
import { type LocalServer, startLocalServer } from '../../src/server/index.ts';
import { accessTo, runCommand } from '../helpers/cli-run.ts';
import { shipDemoRecords } from './demo-records.ts';

const FILE = join(import.meta.dirname, '../../docs/query-tutorial.md');
const PAGE = await readFile(FILE, 'utf8');
/** A command and the output that the page shows for it. */
const EXAMPLE = /^```sh\nnpx logclient (query .*)\n```\n\n```text\n([\s\S]*?)```$/gm;
const RECORDS = join(import.meta.dirname, '../../docs/site/.vitepress/theme/demo-records.json');
const START_MS = Date.UTC(2026, 2, 2, 9, 0, 0);

const examples = [...PAGE.matchAll(EXAMPLE)].map(([, line, output]) => ({ line: line!, output: output! }));

/** A row with strings as values, without what differs between servers. */
function withoutIds({
  '@id': _id,
  '@ingesttimestamp': _arrival,
  ...row
}: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, String(value)]));
}

describe('docs/query-tutorial.md', () => {
  let server: LocalServer;
  beforeAll(async () => {
    server = await startLocalServer({ now: START_MS + 60_000 });
    const { url: baseUrl, repository, userToken } = server;
    await shipDemoRecords(new LogClient({ baseUrl, repository, userToken }), START_MS);
  });
  afterAll(() => server.close());

  async function run(line: string): Promise<string> {
    const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
    const env = { ...accessTo(server), NO_COLOR: '1' };
    const { code, stdout, stderr } = await runCommand([...words, '--timezone', 'UTC', '-q'], {
      env,
      terminal: 100,
    });
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: '' });
    return stdout.replaceAll(/ +$/gm, '');
  }

  // With --update, the page gets the output of its commands.
  it('shows the output of each command', async () => {
    let page = PAGE;
    for (const { line, output } of examples) {
      const block = (text: string) => `npx logclient ${line}\n\`\`\`\n\n\`\`\`text\n${text}\`\`\``;
      const shown = await run(line);
      expect(shown.trim(), line).not.toBe('');
      page = page.replace(block(output), () => block(shown));
    }
    await expect(page).toMatchFileSnapshot(FILE);
  });

  // With --update, the site gets the records of the demo.
  it('runs on the records that the site has', async () => {
    const records = server.inspect
      .events()
      .map(({ '@id': _id, '@ingesttimestamp': _arrival, ...record }) => record);
    await expect(`${JSON.stringify(records, undefined, 2)}\n`).toMatchFileSnapshot(RECORDS);
  });

  it.each(examples)('returns the same rows on the site: $line', async ({ line }) => {
    const [, query] = /^query '([^']*)'/.exec(line)!;
    const inPage = openBrowserServer(TUTORIAL_CONTENTS);
    const send = ((url: string, { method = 'GET', body = '' }: { method?: string; body?: string } = {}) =>
      inPage.respond(new Request(url, { method }), body)) as typeof fetch;
    const rows = await rowsOfAnswer(send, 'http://localhost/', query!, TUTORIAL);
    const printed = (
      await runCommand(['query', query!, '--since', '5m', '-o', 'ndjson', '-q'], { env: accessTo(server) })
    ).stdout;
    const expected = printed
      .trim()
      .split('\n')
      .map((row) => withoutIds(JSON.parse(row)));
    expect(rows).toEqual(expected);
  });

  it('has 23 numbered examples, each with a command and its output', () => {
    const numbers = [...PAGE.matchAll(/^### (\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toEqual(Array.from({ length: 23 }, (_, i) => i + 1));
    const sections = PAGE.split(/^### \d+\. /m).slice(1);
    expect(sections.filter((text) => [...text.matchAll(EXAMPLE)].length === 0)).toEqual([]);
  });
});
