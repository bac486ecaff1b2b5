import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject, type Outcome } from '../fresh-project.ts';

/** Modules of an app, as the test of a component imports them. */
const LOGGERS: Readonly<Record<string, string>> = {
  createPinoStream: `const { createPinoStream, flush } = require('logclient/pino');
const logger = require('pino')(createPinoStream());
module.exports = { log: () => logger.info('hello'), flush: () => flush(logger) };`,
  createPinoTransport: `const { createPinoTransport, flush } = require('logclient/pino');
const logger = require('pino')(createPinoTransport());
module.exports = { log: () => logger.info('hello'), flush: () => flush(logger) };`,
  winston: `const { LogTransport } = require('logclient/winston');
const transport = new LogTransport({ worker: process.env.WORKER !== 'false' });
const logger = require('winston').createLogger({ transports: [transport] });
module.exports = { log: () => logger.info('hello'), flush: () => transport.flush() };`,
  Ingester: `const { Ingester } = require('logclient');
const ingester = new Ingester();
module.exports = { log: () => ingester.add({ attributes: { message: 'hello' } }), flush: () => ingester.flush() };`,
};

const CONFIG = `module.exports = { testEnvironment: 'jsdom', setupFilesAfterEnv: ['logclient/testing/jest'] };`;

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  project = await FreshProject.create(['pino', 'winston', 'jest@30.5.2', 'jest-environment-jsdom@30']);
  await project.write('jest.config.js', CONFIG);
}, 180_000);

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

async function jest(test: string, ...env: string[]): Promise<Outcome> {
  await project.write('app.test.js', test);
  const service = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token'];
  return project.run('env', ...service, ...env, 'npx', 'jest');
}

it.each([...Object.keys(LOGGERS).map((name) => [name, []] as const), ['winston', ['WORKER=false']] as const])(
  '%s %j delivers from a test in jest-environment-jsdom',
  async (name, env) => {
    await project.write('logger.js', LOGGERS[name]!);
    const test = `const logger = require('./logger.js');
test('logs', async () => {
  expect(typeof window).toBe('object');
  logger.log();
  await logger.flush();
});`;
    expect(await jest(test, ...env)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('logclient:'),
    });
    expect(sink.events).toHaveLength(1);
  },
);

it('pino.transport fails in jest-environment-jsdom, which has no setImmediate', async () => {
  const test = `const pino = require('pino');
test('logs', () => pino(pino.transport({ target: 'logclient/pino' })).info('hello'));`;
  expect(await jest(test)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('setImmediate is not defined'),
  });
});

it('captureLogs() names the remedy in jest-environment-jsdom, which works', async () => {
  const test = `const { captureLogs } = require('logclient/testing');
const pino = require('pino');
test('captures', async () => {
  const logger = pino({}, { write() {} });
  const logs = await captureLogs(logger);
  logger.info('hello');
  await expect(logs).toHaveLogged({ msg: 'hello' });
  await logs.close();
});`;
  const failed = await jest(test);
  expect(failed).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Add the comment `/** @jest-environment node */`'),
  });
  expect(await jest(`/** @jest-environment node */\n${test}`)).toMatchObject({ code: 0 });
});
