import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it, onTestFinished } from 'vitest';
import { LogClient } from '../src/index.ts';
import { startLocalServer } from '../src/server/index.ts';
import { runCommand } from './helpers/cli-run.ts';
import { runNode } from './helpers/run-node.ts';

const ROOT = resolve(import.meta.dirname, '..');
const EXAMPLE = join(ROOT, 'examples/typed-queries');

it('examples/typed-queries passes its own checks', async () => {
  const queries = join(EXAMPLE, 'queries');
  expect(await runCommand(['queries', 'types', queries, '--check'])).toMatchObject({ code: 0 });
  expect(await runCommand(['queries', 'test', queries])).toMatchObject({ code: 0 });
});

it('examples/typed-queries prints the errors of each service', async () => {
  const folder = await mkdtemp(join(ROOT, '.tmp-typed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // Its package.json would hide this package.
  await cp(EXAMPLE, folder, { recursive: true, filter: (path) => !path.endsWith('package.json') });
  for (const file of ['main.ts', 'queries/errors.lql.ts']) {
    const source = await readFile(join(folder, file), 'utf8');
    const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    await writeFile(join(folder, file.replace(/ts$/, 'mjs')), outputText.replace('.lql.ts', '.lql.mjs'));
  }
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url, repository, userToken } = server;
  const client = new LogClient({ baseUrl: url, repository, userToken });
  const event = (attributes: Record<string, string | number>) => ({ timestamp: Date.now(), attributes });
  await client.ingestJsonData([
    {
      tags: { service: 'cart', env: 'prod' },
      events: [event({ level: 'error', ms: 950.4 }), event({ level: 'error' }), event({ level: 'info' })],
    },
  ]);
  const env = { LOGSCALE_URL: url, LOGSCALE_REPOSITORY: repository, LOGSCALE_TOKEN: userToken };
  expect(await runNode(join(folder, 'main.mjs'), env)).toMatchObject({
    code: 0,
    stderr: '',
    stdout: 'cart: 2 errors, at most 950 ms\n',
  });
});
