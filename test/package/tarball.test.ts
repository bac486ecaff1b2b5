import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FreshProject, ROOT } from './fresh-project.ts';
import { sellAndQuery } from './programs.ts';

const ESM = `import { LogClient } from 'logclient';
import { startLocalServer } from 'logclient/local-server';`;
const CJS = `const { LogClient } = require('logclient');
const { startLocalServer } = require('logclient/local-server');`;
const PINO = `pino(pino.transport({ target: 'logclient/pino', options: connection }))`;
const LOGLAYER = `(() => {
  const transport = new LogTransport(connection);
  const log = new LogLayer({ transport });
  const info = ({ message, ...fields }) => log.withMetadata(fields).info(message);
  return { info, flush: (callback) => transport.flush().then(callback) };
})()`;
const WINSTON = `winston.createLogger({ transports: [new LogTransport(connection)] })`;

describe('Packed package in a fresh project', () => {
  let project: FreshProject;

  beforeAll(async () => {
    project = await FreshProject.create(['pino', 'winston', 'loglayer']);
  }, 180_000);

  afterAll(() => project.remove());

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
    [
      'LogLayer from ESM',
      'loglayer.mjs',
      `${ESM}\nimport { LogLayer } from 'loglayer';\nimport { LogTransport } from 'logclient/loglayer';`,
      LOGLAYER,
    ],
    [
      'LogLayer from CommonJS',
      'loglayer.cjs',
      `${CJS}\nconst { LogLayer } = require('loglayer');\nconst { LogTransport } = require('logclient/loglayer');`,
      LOGLAYER,
    ],
  ])('ships the records of %s', async (_title, file, imports, logger) => {
    await project.write(file, sellAndQuery(imports, logger));
    const { stdout, stderr } = await project.node(file);
    expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'a,b,c', stderr: '' });
  });

  it('recognizes an exception of the CommonJS copy with instanceof and the class of the ESM copy', async () => {
    await project.write(
      'copies.mjs',
      `import { createRequire } from 'node:module';
       import { LogException, LogHTTPException, LogTimeoutException } from 'logclient';
       const copy = createRequire(import.meta.url)('logclient');
       const error = new copy.LogTimeoutException('too slow', 5);
       console.log(copy.LogException !== LogException, error instanceof LogException, error instanceof LogTimeoutException, error instanceof LogHTTPException);`,
    );
    const { stdout } = await project.node('copies.mjs');
    expect(stdout.trim()).toBe('true true true false');
  });

  it.each([
    ['mjs', "import { LogTransport } from 'logclient/winston';"],
    ['cjs', "const { LogTransport } = require('logclient/winston');"],
  ])(
    'starts the stack of an error about options with the line of the program, in a .%s file',
    async (ending, line) => {
      const program = `${line}\nfunction open() {\n  new LogTransport({ ingestTokn: 1 });\n}\nopen();`;
      await project.write(`stack.${ending}`, program);
      const { stderr } = await project.node(`stack.${ending}`);
      expect(stderr).toMatch(/"ingestTokn"[^\n]*\n(?:- .*\n)* {4}at open \(.*stack\.[cm]js:3:3\)\n/);
    },
  );

  it('has a logclient command that prints its version', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    const { stdout } = await project.run('npx', '--no-install', 'logclient', '--version');
    expect(stdout.trim()).toBe(version);
  });

  it.each([
    'logclient',
    'logclient/pino',
    'logclient/winston',
    'logclient/loglayer',
    'logclient/console',
    'logclient/query-language',
  ])('loads no other package with %s, and no local server, CLI or testing files', async (entry) => {
    const probe = `
      require('${entry}');
      const files = Object.keys(require.cache).filter((file) => file.includes('node_modules'));
      const names = files.map((file) => file.match(/.*node_modules\\/((?:@[^/]+\\/)?[^/]+)\\/(.*)/));
      const own = names.filter(([, name]) => name === 'logclient').map(([, , file]) => file);
      console.log(JSON.stringify({
        packages: [...new Set(names.map(([, name]) => name))].filter((name) => name !== 'logclient').sort(),
        server: own.filter((file) => /local-server|cli|testing/.test(file)),
      }));`;
    await project.write('loaded.cjs', probe);
    const { stdout, stderr } = await project.node('loaded.cjs');
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({ packages: [], server: [] });
  });
});
