import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exampleOf, FUNCTION_CONTENTS } from '../../docs/site/.vitepress/theme/function-examples.ts';
import { rowsText } from '../../docs/site/.vitepress/theme/rows-text.ts';
import { rowsOfAnswer } from '../../docs/site/.vitepress/theme/run-query.ts';
import { openBrowserServer } from '../../src/server/browser/browser-server.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/functions.md'), 'utf8');

/** Name, query and printed output of each example. */
const EXAMPLES = [
  ...PAGE.matchAll(/^### (\S+)\n[\s\S]*?```lql\n([\s\S]*?)\n```\n\n```text\n([\s\S]*?)\n```/gm),
].map(([, name, query, output]) => ({ name: name!, query: query!, output: output! }));

describe('The examples of docs/functions.md on the site', () => {
  const server = openBrowserServer(FUNCTION_CONTENTS);
  const send = ((url: string, { method = 'GET', body = '' }: { method?: string; body?: string } = {}) =>
    server.respond(new Request(url, { method }), body)) as typeof fetch;

  it('are those of all functions', () => {
    expect(EXAMPLES.length).toBeGreaterThan(190);
  });

  it.each(EXAMPLES)('give the rows that the page prints: $name', async ({ name, query, output }) => {
    const rows = await rowsOfAnswer(send, 'http://localhost/', query, exampleOf(name));
    expect(rowsText(rows)).toBe(output);
  });
});
