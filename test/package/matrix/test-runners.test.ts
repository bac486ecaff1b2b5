import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject, type Outcome } from '../fresh-project.ts';

/** Each logs one record, and nothing flushes or ends the logger. */
const LOGGERS = `
const { Ingester } = require('logclient');
const { createPinoStream, createPinoTransport } = require('logclient/pino');
const { LogTransport } = require('logclient/winston');
const pino = require('pino');
const winston = require('winston');

module.exports = {
  'pino.transport': () => pino(pino.transport({ target: 'logclient/pino' })).info('pino.transport'),
  createPinoTransport: () => pino(createPinoTransport()).info('createPinoTransport'),
  createPinoStream: () => pino(createPinoStream()).info('createPinoStream'),
  LogTransport: () => winston.createLogger({ transports: [new LogTransport()] }).info('LogTransport'),
  'LogTransport in-process': () =>
    winston.createLogger({ transports: [new LogTransport({ worker: false })] }).info('LogTransport in-process'),
  Ingester: () => void new Ingester().add({ attributes: { message: 'Ingester' } }),
};
`;
const NAMES = [
  'pino.transport',
  'createPinoTransport',
  'createPinoStream',
  'LogTransport',
  'LogTransport in-process',
  'Ingester',
];
/** vitest ends pino's worker without notice, so its test has to flush. */
const WITHOUT_PINO_TRANSPORT = NAMES.filter((name) => name !== 'pino.transport');

const TEST = (names: readonly string[]): string =>
  names.map((name) => `test('${name}', () => { loggers['${name}'](); });`).join('\n');
const AUTO = `
test('auto', () => {
  pino().info('pino');
  winston.createLogger({ transports: [new winston.transports.Console()] }).info('winston');
  console.log('console');
});`;
const REQUIRE_LOGGERS = `const pino = require('pino');\nconst winston = require('winston');`;

const FILES: Readonly<Record<string, string>> = {
  'loggers.cjs': LOGGERS,
  'jest.config.cjs': `module.exports = { roots: ['<rootDir>/jest'] };`,
  'jest/first.test.js': `const loggers = require('../loggers.cjs');\n${TEST(NAMES.slice(0, 3))}`,
  'jest/second.test.js': `const loggers = require('../loggers.cjs');\n${TEST(NAMES.slice(3))}`,
  'jest-esm.config.cjs': `module.exports = { roots: ['<rootDir>/esm'], testMatch: ['**/*.test.mjs'], transform: {} };`,
  'esm/loggers.test.mjs': `import 'logclient';\nimport loggers from '../loggers.cjs';\n${TEST(NAMES)}`,
  'mocha/loggers.cjs': `const loggers = require('../loggers.cjs');\nconst test = it;\n${TEST(NAMES)}`,
  'vitest.config.mjs': `export default { test: { globals: true, include: ['vitest/*.test.mjs'] } };`,
  'vitest/pino-transport.test.mjs': `
import { flush } from 'logclient/pino';
import pino from 'pino';

const logger = pino(pino.transport({ target: 'logclient/pino' }));
afterAll(() => flush(logger));
test('pino.transport', () => logger.info('pino.transport'));`,
  'vitest/loggers.test.mjs': `import loggers from '../loggers.cjs';\n${TEST(WITHOUT_PINO_TRANSPORT)}`,
  'jest-auto.config.cjs': `module.exports = { roots: ['<rootDir>/jest-auto'], setupFiles: ['logclient/auto'] };`,
  'jest-auto/first.test.js': REQUIRE_LOGGERS + AUTO,
  'jest-auto/second.test.js': REQUIRE_LOGGERS + AUTO,
  'vitest-auto.config.mjs': `export default {
    test: { globals: true, include: ['vitest-auto/*.test.mjs'], setupFiles: ['logclient/auto'] },
  };`,
  'vitest-auto/auto.test.mjs': `import pino from 'pino';\nimport winston from 'winston';${AUTO}`,
};

const JEST = ['node_modules/jest/bin/jest.js', '--config'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config'];
/** Without a limit for their memory, Jest starts no workers for two files. */
const IN_WORKERS = ['--maxWorkers=2', '--workerIdleMemoryLimit=1GB'];

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  project = await FreshProject.create(['pino', 'winston', 'jest@30.5.2', 'mocha@12.0.3', 'vitest']);
  for (const folder of ['jest', 'esm', 'mocha', 'vitest', 'jest-auto', 'vitest-auto']) {
    await mkdir(join(project.path, folder));
  }
  for (const [file, text] of Object.entries(FILES)) await project.write(file, text);
}, 180_000);

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function run(url: string, ...args: string[]): Promise<Outcome> {
  const env = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${url}`, 'LOGSCALE_INGEST_TOKEN=token'];
  return project.run('env', ...env, process.execPath, ...args);
}

const messages = (): unknown[] =>
  sink.events.map(({ attributes: { msg, message } }) => msg ?? message).sort();

describe('Test runners', { timeout: 90_000 }, () => {
  it.each([
    ['Jest', [...JEST, 'jest.config.cjs', '--runInBand'], NAMES],
    ['Jest with workers', [...JEST, 'jest.config.cjs', ...IN_WORKERS], NAMES],
    ['Jest with worker threads', [...JEST, 'jest.config.cjs', ...IN_WORKERS, '--workerThreads'], NAMES],
    ['Jest with ES modules', ['--experimental-vm-modules', ...JEST, 'jest-esm.config.cjs'], NAMES],
    ['mocha', ['node_modules/mocha/bin/mocha.js', 'mocha/loggers.cjs'], NAMES],
    ['mocha --exit', ['node_modules/mocha/bin/mocha.js', '--exit', 'mocha/loggers.cjs'], NAMES],
    ['mocha --parallel', ['node_modules/mocha/bin/mocha.js', '--parallel', 'mocha/loggers.cjs'], NAMES],
    ...['threads', 'forks', 'vmThreads', 'vmForks'].map((pool): [string, string[], string[]] => [
      `vitest with the pool ${pool}`,
      [...VITEST, 'vitest.config.mjs', `--pool=${pool}`],
      NAMES,
    ]),
  ])('%s delivers all records', async (_, command, names) => {
    const { code, stderr } = await run(sink.url, ...command);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('logclient:');
    expect(messages()).toEqual([...names].sort());
  });

  it.each(['threads', 'forks'])(
    "vitest with the pool %s reports records that it can't deliver",
    async (pool) => {
      const command = [...VITEST, 'vitest.config.mjs', `--pool=${pool}`, 'vitest/loggers'];
      const { code, stderr } = await run('http://127.0.0.1:1', ...command);
      expect(code, stderr).toBe(0);
      const dropped = /^logclient: 1 record was dropped: not delivered before close.*ECONNREFUSED/gm;
      expect(stderr.match(dropped), stderr).toHaveLength(WITHOUT_PINO_TRANSPORT.length);
    },
  );

  it.each([
    ['Jest', [...JEST, 'jest-auto.config.cjs', '--runInBand'], ['console', 'console', 'pino', 'pino']],
    [
      'vitest with the pool threads',
      [...VITEST, 'vitest-auto.config.mjs', '--pool=threads'],
      ['console', 'pino', 'winston'],
    ],
    [
      'vitest with the pool forks',
      [...VITEST, 'vitest-auto.config.mjs', '--pool=forks'],
      ['console', 'pino', 'winston'],
    ],
    [
      'vitest with the pool vmThreads',
      [...VITEST, 'vitest-auto.config.mjs', '--pool=vmThreads'],
      ['console', 'pino'],
    ],
  ])('logclient/auto as a setup file of %s captures each record once', async (_, command, expected) => {
    const { code, stderr } = await run(sink.url, ...command);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(expected);
  });
});
