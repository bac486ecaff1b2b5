import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectMcp } from '../helpers/mcp-client.ts';
import { runNode } from '../helpers/run-node.ts';

const FILE = join(import.meta.dirname, '../../docs/mcp.md');
/** A call and its response on the page. */
const CALL = /^```json\n(\{ "tool": .*\})\n```\n\n```text\n([\s\S]*?)```$/gm;
const START_MS = Date.UTC(2026, 2, 2, 9, 0, 0);

/** Runs the example, and writes its log with fixed times, without values that differ between machines. */
async function exampleLog(folder: string): Promise<string> {
  const { code, stdout, stderr } = await runNode('examples/apps/checkout.mjs');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const lines = stdout.trim().split('\n');
  const portable = lines.map((line, i) => {
    const { pid, hostname, ...record } = JSON.parse(line);
    if (record.err !== undefined) record.err.stack = record.err.stack.split('\n', 1)[0];
    return `${JSON.stringify({ ...record, time: START_MS + i * 20 })}\n`;
  });
  const file = join(folder, 'app.log');
  await writeFile(file, portable.join(''));
  return file;
}

// With --update, the page gets the responses.
it('the calls of docs/mcp.md return the responses shown and find the cause', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'logclient-mcp-page-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await exampleLog(folder);
  const ownFolder = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(ownFolder));
  const { call } = await connectMcp({ file: 'app.log' });
  let page = await readFile(FILE, 'utf8');
  const calls = [...page.matchAll(CALL)];
  expect(calls).toHaveLength(2);
  let last = '';
  for (const [block, request] of calls) {
    const { tool, arguments: args } = JSON.parse(request!);
    const { text, isError } = await call(tool, args);
    expect(isError, text).toBe(false);
    last = text.replaceAll(/log-data-\w{8}/g, 'log-data-5c0ffee5');
    page = page.replace(block, () => `\`\`\`json\n${request}\n\`\`\`\n\n\`\`\`text\n${last}\n\`\`\``);
  }
  expect(last).toContain('cache/rates.json');
  await expect(page).toMatchFileSnapshot(FILE);
});
