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
/** Test runners end pino's worker without notice, so its test has to flush. */
const WITHOUT_PINO_TRANSPORT = NAMES.filter((name) => name !== 'pino.transport');

const TEST = (names: readonly string[]): string =>
  names.map((name) => `test('${name}', () => { loggers['${name}'](); });`).join('\n');
const FLUSH = (message: string): string => `
const { createPinoTransport, flush } = require('logclient/pino');
const logger = require('pino')(createPinoTransport());
afterAll(() => flush(logger));
test('logs', () => logger.info('${message}'));`;
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
  'jest-slow.config.cjs': `module.exports = { roots: ['<rootDir>/jest-slow'] };`,
  'jest-slow/first.test.js': `const loggers = require('../loggers.cjs');\n${TEST(WITHOUT_PINO_TRANSPORT.slice(0, 3))}`,
  'jest-slow/second.test.js': `const loggers = require('../loggers.cjs');\n${TEST(WITHOUT_PINO_TRANSPORT.slice(3))}`,
  'jest-flush.config.cjs': `module.exports = { roots: ['<rootDir>/jest-flush'] };`,
  'jest-flush/first.test.js': FLUSH('first'),
  'jest-flush/second.test.js': FLUSH('second'),
  'jest-esm.config.cjs': `module.exports = { roots: ['<rootDir>/esm'], testMatch: ['**/*.test.mjs'], transform: {} };`,
  'esm/loggers.test.mjs': `import 'logclient';\nimport loggers from '../loggers.cjs';\n${TEST(NAMES)}`,
  'jest-fake-timers.config.cjs': `module.exports = {
    roots: ['<rootDir>/fake-timers'],
    fakeTimers: { enableGlobally: true },
  };`,
  'fake-timers/loggers.test.js': `
const { createPinoTransport, flush } = require('logclient/pino');
const loggers = require('../loggers.cjs');
${TEST(WITHOUT_PINO_TRANSPORT)}
test('flush', () => {
  const logger = require('pino')(createPinoTransport());
  logger.info('flushed');
  return flush(logger);
});`,
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
  'mocha-auto/auto.cjs': `${REQUIRE_LOGGERS}\nconst test = it;${AUTO}`,
  'vitest-auto.config.mjs': `export default {
    test: { globals: true, include: ['vitest-auto/*.test.mjs'], setupFiles: ['logclient/auto'] },
  };`,
  'vitest-auto/auto.test.mjs': `import pino from 'pino';\nimport winston from 'winston';${AUTO}`,
};

const JEST = ['node_modules/jest/bin/jest.js', '--config'];
const JEST_29 = ['node_modules/jest-29/bin/jest.js', '--config'];
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--config'];
/** Without a limit for their memory, Jest starts no workers for two files. */
const IN_WORKERS = ['--maxWorkers=2', '--workerIdleMemoryLimit=1GB'];
/** Runners that end their workers soon after the last test. */
const IN_OTHER_THREADS = [
  ['Jest with workers', ...JEST, 'jest-slow.config.cjs', ...IN_WORKERS],
  ['Jest with worker threads', ...JEST, 'jest-slow.config.cjs', ...IN_WORKERS, '--workerThreads'],
  ...['threads', 'forks', 'vmThreads', 'vmForks'].map((pool) => [
    `vitest with the pool ${pool}`,
    ...VITEST,
    'vitest.config.mjs',
    `--pool=${pool}`,
    'vitest/loggers',
  ]),
] as const;

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  project = await FreshProject.create([
    'pino',
    'winston',
    'mocha@12.0.3',
    'vitest',
    'jest@30.5.2',
    'jest-29@npm:jest@29.7.0',
  ]);
  for (const folder of [
    'jest',
    'jest-slow',
    'jest-flush',
    'fake-timers',
    'esm',
    'mocha',
    'vitest',
    'jest-auto',
    'mocha-auto',
    'vitest-auto',
  ]) {
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
    ['Jest 29', [...JEST_29, 'jest.config.cjs', '--runInBand'], NAMES],
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

  it.each(IN_OTHER_THREADS)('%s delivers all records to a service that is slow', async (_, ...command) => {
    sink.answer = () => ({ delayMs: 1_200 });
    const { code, stderr } = await run(sink.url, ...command);
    expect(code, stderr).toBe(0);
    expect(stderr).not.toMatch(/logclient:|force exited/);
    expect(messages()).toEqual(expect.arrayContaining(WITHOUT_PINO_TRANSPORT));
  });

  it('Jest 29 with workers delivers all records that a test flushes, to a service that is slow', async () => {
    sink.answer = () => ({ delayMs: 1_200 });
    const { code, stderr } = await run(sink.url, ...JEST_29, 'jest-flush.config.cjs', ...IN_WORKERS);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(['first', 'second']);
  });

  it.each(IN_OTHER_THREADS)("%s reports records that it can't deliver", async (_, ...command) => {
    const { code, stderr } = await run('http://127.0.0.1:1', ...command);
    expect(code, stderr).toBe(0);
    const dropped = /^logclient: 1 record was dropped: not delivered before close.*ECONNREFUSED/gm;
    expect(stderr.match(dropped), stderr).toHaveLength(WITHOUT_PINO_TRANSPORT.length);
  });

  it('Jest delivers all records of tests with fake timers, and a worker can be flushed', async () => {
    const { code, stderr } = await run(sink.url, ...JEST, 'jest-fake-timers.config.cjs');
    expect(code, stderr).toBe(0);
    expect(stderr).not.toContain('logclient:');
    expect(messages()).toEqual(['flushed', ...WITHOUT_PINO_TRANSPORT].sort());
  });

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
    [
      'vitest with the pool vmForks',
      [...VITEST, 'vitest-auto.config.mjs', '--pool=vmForks'],
      ['console', 'pino'],
    ],
    [
      'mocha',
      ['node_modules/mocha/bin/mocha.js', '--require', 'logclient/auto', 'mocha-auto/auto.cjs'],
      ['console', 'pino', 'winston'],
    ],
  ])('logclient/auto captures each record of %s once', async (_, command, expected) => {
    const { code, stderr } = await run(sink.url, ...command);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(expected);
  });
});
