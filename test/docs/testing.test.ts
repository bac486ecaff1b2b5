import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startLogTest } from '../../src/testing/index.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const blocks = blocksOf(await readFile(join(ROOT, 'docs/testing.md'), 'utf8'));

function fileOf(name: string): string {
  return blocks.find(({ text }) => text.startsWith(`// ${name}\n`))!.text;
}

describe('docs/testing.md', () => {
  let folder: string;
  beforeAll(async () => {
    // In the package's own folder, so that its name can be resolved.
    folder = await mkdtemp(join(ROOT, '.tmp-testing-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it('contains vitest suites that pass with the configuration shown', async () => {
    const suites = blocks.filter(({ text }) => text.includes("from 'vitest'"));
    await writeFile(join(folder, 'vitest.config.js'), fileOf('vitest.config.js'));
    for (const [i, { text }] of suites.entries()) await writeFile(join(folder, `suite-${i}.test.ts`), text);
    const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, VITEST: undefined };
    const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
    // One process loads the package and the runner once; the suites have nothing in common.
    const words = [vitest, 'run', '--no-isolate', '--pool=threads', '--maxWorkers=1', '--testTimeout=60000'];
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, env });
    expect(suites.length).toBe(9);
    expect(stdout).toMatch(/Tests {2}10 passed \(10\)/);
  });

  it('contains a node:test suite that passes', async () => {
    const suite = blocks.find(({ text }) => text.includes("from 'node:test'"))!;
    const file = join(folder, 'node-test.mjs');
    await writeFile(file, suite.text);
    const { code, stdout } = await runNode(file);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^# pass 1$|✔ logs an order/m),
    });
  });

  it('contains a Cypress task that returns the record it waits for', async () => {
    await using logs = await startLogTest();
    for (const [name, value] of Object.entries(logs.env)) vi.stubEnv(name, value);
    const file = join(folder, 'cypress.config.mjs');
    await writeFile(file, fileOf('cypress.config.mjs'));
    const { e2e } = (await import(file)).default;
    const tasks: Record<string, (query: string) => Promise<unknown>> = {};
    e2e.setupNodeEvents((_event: 'task', added: typeof tasks) => Object.assign(tasks, added));
    const waiting = tasks.waitForLog!('level=info order="o-17"');
    await logs.client.ingestJsonData([
      { events: [{ timestamp: Date.now(), attributes: { level: 'info', order: 'o-17' } }] },
    ]);
    expect(await waiting).toMatchObject([{ level: 'info', order: 'o-17' }]);
    vi.unstubAllEnvs();
  });
});
