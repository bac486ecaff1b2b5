import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, '../..');

/** Ships three records through the logger that `logger` makes, then queries them back: all from the installed package. */
function app(imports: string, logger: string): string {
  return `
${imports}
main().catch((error) => { console.error(error); process.exit(1); });
async function main() {
  const server = await startLocalServer();
  const connection = { baseUrl: server.url, ingestToken: server.ingestToken, tags: { service: 'shop' } };
  const logger = ${logger};
  for (const item of ['a', 'b', 'c']) logger.info({ item, message: 'sold' });
  const client = new LogClient({ baseUrl: server.url, repository: server.repository, userToken: server.userToken });
  const rows = await client.waitFor('#service=shop level=info', 3, { timeoutMs: 15000 });
  console.log(rows.map((row) => row.item).sort().join());
  await new Promise((resolve) => { logger.flush ? logger.flush(resolve) : logger.on('finish', resolve).end(); });
  await server.close();
}`;
}

const ESM = `import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';`;
const CJS = `const { LogClient } = require('logclient');
const { startLocalServer } = require('logclient/local-server');`;
const PINO = `pino(pino.transport({ target: 'logclient/pino', options: connection }))`;
const WINSTON = `winston.createLogger({ transports: [new LogTransport(connection)] })`;

describe('the packed package in a fresh project', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'logclient-consumer-'));
    const { stdout } = await run(
      'npm',
      ['pack', '--ignore-scripts', '--json', '--pack-destination', project],
      { cwd: ROOT },
    );
    const [{ filename }] = JSON.parse(stdout);
    await writeFile(join(project, 'package.json'), '{ "name": "consumer", "private": true }');
    const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const loggers = [`pino@${devDependencies.pino}`, `winston@${devDependencies.winston}`];
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`, ...loggers],
      { cwd: project },
    );
  }, 180_000);

  afterAll(() => rm(project, { recursive: true, force: true }));

  it.each([
    ['pino from ESM', 'pino.mjs', `${ESM}\nimport pino from 'pino';`, PINO],
    ['pino from CommonJS', 'pino.cjs', `${CJS}\nconst pino = require('pino');`, PINO],
    [
      'winston from ESM',
      'winston.mjs',
      `${ESM}\nimport winston from 'winston';\nimport { LogTransport } from 'logclient/winston';`,
      WINSTON,
    ],
    [
      'winston from CommonJS',
      'winston.cjs',
      `${CJS}\nconst winston = require('winston');\nconst { LogTransport } = require('logclient/winston');`,
      WINSTON,
    ],
  ])('ships the records of %s', async (_title, file, imports, logger) => {
    await writeFile(join(project, file), app(imports, logger));
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: project, timeout: 30_000 });
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'a,b,c', stderr: '' });
  });

  it('recognises an exception of the CommonJS copy by the class of the ESM copy', async () => {
    await writeFile(
      join(project, 'copies.mjs'),
      `import { createRequire } from 'node:module';
       import { LogException, LogHTTPException, LogTimeoutException } from 'logclient';
       const copy = createRequire(import.meta.url)('logclient');
       const error = new copy.LogTimeoutException('too slow', 5);
       console.log(copy.LogException !== LogException, error instanceof LogException, error instanceof LogTimeoutException, error instanceof LogHTTPException);`,
    );
    const { stdout } = await run(process.execPath, ['copies.mjs'], { cwd: project });
    expect(stdout.trim()).toBe('true true true false');
  });

  it('has a command that says its version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { stdout } = await run('npx', ['--no-install', 'logclient', '--version'], { cwd: project });
    expect(stdout.trim()).toBe(version);
  });

  it('loads none of the packages of the local server in an app that only ships logs', async () => {
    const probe = `
      const Module = require('node:module');
      require('logclient/pino'); require('logclient/winston');
      const loaded = Object.keys(Module._cache).join();
      console.log(['hono', 'graphql', 'papaparse', 'commander', 'local-server'].filter((name) => loaded.includes('/' + name)).join() || 'none');`;
    await writeFile(join(project, 'loaded.cjs'), probe);
    const { stdout } = await run(process.execPath, ['loaded.cjs'], { cwd: project });
    expect(stdout.trim()).toBe('none');
  });
});
