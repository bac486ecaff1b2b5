import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, outputPattern } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('the script of docs/maintenance.md prints the output shown on its first and second run', async () => {
  const [script] = blocksOf(await readFile(join(ROOT, 'docs/maintenance.md'), 'utf8'));
  const folder = await mkdtemp(join(ROOT, '.tmp-maintenance-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await using server = await startLocalServer();
  const env = {
    LOGSCALE_URL: server.url,
    LOGSCALE_REPOSITORY: server.repository,
    LOGSCALE_TOKEN: server.userToken,
  };
  const file = join(folder, 'script.mjs');
  await writeFile(file, script!.text);
  for (const run of ['first', 'second']) {
    const { code, stdout, stderr } = await runNode(file, env);
    expect({ run, code, stderr }).toEqual({ run, code: 0, stderr: '' });
    expect(stdout.trim()).toMatch(outputPattern(script!.output!));
  }
});
