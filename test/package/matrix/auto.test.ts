import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject, type Outcome } from '../fresh-project.ts';

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

const aliases = LOGGERS.map((logger) => `${alias(logger)}@npm:${logger}`);
const project = await FreshProject.create([...aliases, 'tsx@4.23.15', 'typescript']);
for (const [file, text] of Object.entries(PROGRAMS)) await project.write(file, text);
let sink: IngestSink;

afterAll(() => project.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function run(...command: string[]): Promise<Outcome> {
  const env = ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token'];
  return project.run('env', ...env, ...command);
}

function describeAuto(node: string): void {
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
}

describe('logclient/auto on this Node', { timeout: 60_000 }, () => describeAuto(process.execPath));

for (const version of NODES) {
  const install = (): Promise<string> => project.installProgram(`node@${version}`);
  await describeInstalled(`logclient/auto on Node ${version}`, install, (folder) => {
    describeAuto(join(folder, 'node_modules/node/bin/node'));
  });
}

it('logclient/auto in NODE_OPTIONS captures a program started by npx, but not npx itself', async () => {
  const { code } = await run('env', 'NODE_OPTIONS=--import logclient/auto', 'npx', 'tsx', 'app.mts');
  expect(code).toBe(0);
  expect(sink.events.map(({ attributes }) => attributes)).toMatchObject(EXPECTED);
});
