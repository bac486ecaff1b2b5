import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { runNode } from '../helpers/run-node.ts';
import { blocksOf, outputPattern, sessionOf } from './markdown-blocks.ts';

const ROOT = resolve(import.meta.dirname, '../..');

it('the programs of docs/maintenance.md print the output shown, on the first and second run, and delete events', async () => {
  const blocks = blocksOf(await readFile(join(ROOT, 'docs/maintenance.md'), 'utf8'));
  const [script, deletion] = blocks.filter(({ language }) => language === 'ts');
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
  const client = new LogClient({ baseUrl: server.url, userToken: server.userToken, repository: 'orders' });
  expect(await client.query('count()')).toEqual([{ _count: '2' }]);
  const opening =
    "import { LogClient } from 'logclient';\nconst orders = new LogClient({ repository: 'orders' });\n";
  await writeFile(file, opening + deletion!.text);
  expect(await runNode(file, env)).toMatchObject({ code: 0, stderr: '' });
  expect(await client.query('count()')).toEqual([{ _count: '0' }]);
  await client.ingestJsonData([
    { tags: { service: 'billing' }, events: [{ timestamp: new Date(), attributes: {} }] },
  ]);
  const lines = blocks.find(({ text }) => text.startsWith('logclient events'))!.text;
  await writeFile(file, sessionOf(lines.replace('logclient', 'npx logclient')));
  expect(await runNode(file, { ...env, LOGSCALE_REPOSITORY: 'orders' })).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('deleted 1 event in "orders"'),
  });
  expect(await client.query('count()')).toEqual([{ _count: '0' }]);
});
