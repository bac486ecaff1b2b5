import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject, type Outcome } from '../fresh-project.ts';

/** Without a token in its code, so `logclient/auto` captures it. */
const APP = `
pino().info('pino');
winston.createLogger({ transports: [new winston.transports.Console()] }).info('winston');
console.log('console');`;
const COMMON_JS = `const pino = require('pino');\nconst winston = require('winston');${APP}`;
const ES_MODULE = `import pino from 'pino';\nimport winston from 'winston';${APP}`;
const CAPTURED = ['console', 'pino', 'winston'];

/** Logs a record that no timer sends, and waits for a signal. */
const SERVICE = `
const { createPinoTransport } = require('logclient/pino');
const pino = require('pino');
const logger = pino(createPinoTransport({ flushIntervalMs: 3_600_000, flushOnSignals: true }));
logger.info('waits for a signal');
process.send('ready');
setInterval(() => {}, 1_000);`;

const TRANSPORTS = `
const { createPinoTransport } = require('logclient/pino');
const { LogTransport } = require('logclient/winston');
const pino = require('pino');
const winston = require('winston');
pino(pino.transport({ target: 'logclient/pino' })).info('pino.transport');
pino(createPinoTransport()).info('createPinoTransport');
winston.createLogger({ transports: [new LogTransport()] }).info('LogTransport');`;
const SHIPPED = ['LogTransport', 'createPinoTransport', 'pino.transport'];

/** Works in npm, pnpm and Yarn: Node resolves the module from the directory of the package that has the script. */
const SCRIPTS = {
  start: 'node --import logclient/auto app.cjs',
  'start-module': 'node --import logclient/auto app.mjs',
  'start-by-options': 'NODE_OPTIONS="$NODE_OPTIONS --import logclient/auto" node app.cjs',
  ship: 'node ship.cjs',
};
const CASES: [script: keyof typeof SCRIPTS, messages: string[]][] = [
  ['start', CAPTURED],
  ['start-module', CAPTURED],
  ['start-by-options', CAPTURED],
  ['ship', SHIPPED],
];

const YARN = join('node_modules', '@yarnpkg/cli-dist/bin/yarn.js');
const PNPM = join('node_modules', 'pnpm/bin/pnpm.cjs');
const PM2 = join('node_modules', 'pm2/bin/pm2');
const TS_NODE = join('node_modules', 'ts-node/dist/bin.js');

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  const tools = [
    '@yarnpkg/cli-dist@4.18.1',
    'pnpm@10.34.9',
    'pm2@7.0.4',
    'ts-node@10.9.2',
    'typescript@5.9.3',
  ];
  project = await FreshProject.create(['pino', 'winston', '@types/node', ...tools]);
  await project.write('service.cjs', SERVICE);
  await project.write('app.ts', ES_MODULE);
  const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: true, skipLibCheck: true };
  await project.write('tsconfig.json', JSON.stringify({ compilerOptions }));
}, 180_000);

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function run(env: readonly string[], ...args: string[]): Promise<Outcome> {
  const settings = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token'];
  return project.run('env', ...settings, ...env, process.execPath, ...args);
}

const messages = (): unknown[] =>
  sink.events.map(({ attributes: { msg, message } }) => msg ?? message).sort();

/** A package with the programs and scripts. */
async function writePackage(folder: string): Promise<void> {
  await mkdir(join(project.path, folder), { recursive: true });
  const logclient = `file:${join(project.path, basename(project.tarball))}`;
  const dependencies = { logclient, pino: '10.4.0', winston: '3.19.0' };
  const manifest = { name: 'app', private: true, scripts: SCRIPTS, dependencies };
  await project.write(join(folder, 'package.json'), JSON.stringify(manifest));
  await project.write(join(folder, 'app.cjs'), COMMON_JS);
  await project.write(join(folder, 'app.mjs'), ES_MODULE);
  await project.write(join(folder, 'ship.cjs'), TRANSPORTS);
}

describe('pnpm in the root of a workspace', { timeout: 90_000 }, () => {
  beforeAll(async () => {
    await writePackage('workspace/packages/app');
    await project.write('workspace/pnpm-workspace.yaml', 'packages:\n  - packages/*\n');
    await project.write('workspace/package.json', '{ "name": "root", "private": true }');
    const install = ['--dir', 'workspace', '--store-dir', join(project.path, 'store'), 'install'];
    expect(await project.node(PNPM, ...install, '--ignore-scripts')).toMatchObject({ code: 0 });
  }, 180_000);

  it.each(CASES)('runs the script %s of a package, which sends %j', async (script, expected) => {
    const { code, stderr } = await run([], PNPM, '--dir', 'workspace', '--filter', 'app', 'run', script);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(expected);
  });
});

describe("Yarn Plug'n'Play", { timeout: 90_000 }, () => {
  beforeAll(async () => {
    await writePackage('plug');
    const settings =
      'nodeLinker: pnp\nenableGlobalCache: false\nenableTelemetry: false\nenableScripts: false\n';
    await project.write('plug/.yarnrc.yml', settings);
    await project.write('plug/yarn.lock', '');
    const { stdout } = await project.run('npm', 'config', 'get', 'registry');
    const registry = `YARN_NPM_REGISTRY_SERVER=${stdout.trim().replace(/\/$/, '')}`;
    const install = [process.execPath, YARN, '--cwd', 'plug', 'install'];
    expect(await project.run('env', registry, 'CI=', ...install)).toMatchObject({ code: 0 });
  }, 180_000);

  it.each(CASES)('runs the script %s, which sends %j', async (script, expected) => {
    const { code, stderr } = await run([], YARN, '--cwd', 'plug', 'run', script);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(expected);
  });

  it('runs a program with yarn node --import logclient/auto, whose records are captured', async () => {
    const command = [YARN, '--cwd', 'plug', 'node', '--import', 'logclient/auto', 'app.cjs'];
    const { code, stderr } = await run([], ...command);
    expect(code, stderr).toBe(0);
    expect(messages()).toEqual(CAPTURED);
  });
});

it('ts-node runs a program with --require logclient/auto, whose records are captured', async () => {
  const { code, stderr } = await run([], '--require', 'logclient/auto', TS_NODE, 'app.ts');
  expect(code, stderr).toBe(0);
  expect(messages()).toEqual(CAPTURED);
}, 90_000);

it.each([
  ['a process', 1],
  ['a cluster of two processes', 2],
])('PM2 stops %s, which delivers its records', { timeout: 90_000 }, async (_, count) => {
  const env = [`PM2_HOME=${join(project.path, 'pm2')}`, 'PM2_DISABLE_VERSION_CHECK=true'];
  const pm2 = (...args: string[]): Promise<Outcome> => run(env, PM2, ...args);
  onTestFinished(async () => void (await pm2('kill')));
  const options = ['--name', 'service', '--wait-ready', '--kill-timeout', '12000'];
  const cluster = count === 1 ? [] : ['--instances', String(count)];
  expect(await pm2('start', 'service.cjs', ...options, ...cluster)).toMatchObject({ code: 0 });
  await eventually(async () => {
    const { stdout } = await pm2('jlist');
    expect(stdout.match(/"status":"online"/g)).toHaveLength(count);
  });
  expect(sink.events).toEqual([]);
  expect(await pm2('stop', 'service')).toMatchObject({ code: 0 });
  await eventually(() => expect(messages()).toEqual(Array(count).fill('waits for a signal')));
});
