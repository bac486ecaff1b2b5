import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject, type Outcome } from '../fresh-project.ts';

/** All in one tree. The first and last releases of each supported major. */
const LOGGERS = [
  'pino@8.0.0',
  'pino@8.21.0',
  'pino@9.0.0',
  'pino@9.14.0',
  'pino@10.4.0',
  'winston@3.10.0',
  'winston@3.19.0',
];
const NODES = ['22.23.3', '24.21.0', '26.10.0'];

const LOG = `
const log = {
  pino(pino, name) {
    const logger = pino({ customLevels: { notice: 35 }, redact: ['secret'] }, { write: (line) => console.log(line.trim()) });
    logger.child({ name }).notice({ secret: 's3cr3t' }, 'hello');
  },
  winston(winston, name) {
    winston.createLogger({ transports: [new winston.transports.Console()] }).info('hello', { name });
  },
};
`;
const alias = (logger: string): string => logger.replace('@', '-');
const call = (logger: string, module: string): string =>
  `log.${logger.split('@')[0]}(${module}, '${alias(logger)}');`;

const PROGRAMS: Record<string, string> = {
  // A module that re-exports pino.
  'pino.js': `module.exports = require('${alias(LOGGERS[0]!)}');`,
  'app.cjs':
    `require('./pino.js');${LOG}` +
    LOGGERS.map((logger) => call(logger, `require('${alias(logger)}')`)).join('\n'),
  'app.mjs':
    LOGGERS.map((logger, n) => `import logger${n} from '${alias(logger)}';\n`).join('') +
    LOG +
    LOGGERS.map((logger, n) => call(logger, `logger${n}`)).join('\n'),
};
PROGRAMS['app.mts'] = `const typed: number = 1;\n${PROGRAMS['app.mjs']}`;

const EXPECTED = LOGGERS.map((logger) =>
  logger.startsWith('pino')
    ? { level: 'notice', name: alias(logger), secret: '[Redacted]', msg: 'hello' }
    : { level: 'info', name: alias(logger), message: 'hello' },
);

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  const aliases = LOGGERS.map((logger) => `${alias(logger)}@npm:${logger}`);
  project = await FreshProject.create([...aliases, 'tsx@4.23.15', 'typescript']);
  for (const [file, text] of Object.entries(PROGRAMS)) await project.write(file, text);
}, 180_000);

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function run(...command: string[]): Promise<Outcome> {
  const env = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token'];
  return project.run('env', ...env, ...command);
}

describe.each(['this Node', ...NODES])('logclient/auto on %s', { timeout: 60_000 }, (version) => {
  let node = process.execPath;

  beforeAll(async () => {
    if (version === 'this Node') return;
    const folder = `node-${version}`;
    await mkdir(join(project.path, folder));
    await project.write(join(folder, 'package.json'), '{ "private": true }');
    // An install script of the package downloads the program.
    const install = ['install', '--no-audit', '--no-fund', '--foreground-scripts', '--prefix', folder];
    expect(await project.run('npm', ...install, `node@${version}`)).toMatchObject({ code: 0 });
    node = join(project.path, folder, 'node_modules/node/bin/node');
  }, 180_000);

  it.each([
    ['app.cjs', ['--import', 'logclient/auto']],
    ['app.mjs', ['--import', 'logclient/auto']],
    ['app.cjs', ['--require', 'logclient/auto']],
    ['app.mts', ['--import', 'logclient/auto', '--import', 'tsx']],
    ['app.mts', ['--import', 'tsx', '--import', 'logclient/auto']],
  ])('captures each version of pino and winston once in %s with %j', async (file, options) => {
    const { code, stderr } = await run(node, ...options, file);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(sink.events.map(({ attributes }) => attributes)).toMatchObject(EXPECTED);
  });
});

it('logclient/auto in NODE_OPTIONS captures a program started by npx, but not npx itself', async () => {
  const { code } = await run('env', 'NODE_OPTIONS=--import logclient/auto', 'npx', 'tsx', 'app.mts');
  expect(code).toBe(0);
  expect(sink.events.map(({ attributes }) => attributes)).toMatchObject(EXPECTED);
});
