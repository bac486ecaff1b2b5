import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject, ROOT } from '../fresh-project.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);
const NODE = '22.23.3';

/** Logs when `/` is requested. */
const ROUTE = `
import { createPinoTransport, flush } from 'logclient/pino';
import pino from 'pino';
const logger = pino(createPinoTransport());
export default defineEventHandler(async () => {
  for (let n = 1; n <= 10; n++) logger.info({ n }, 'hello');
  await flush(logger);
  return 'logged';
});`;

/** Starts the server, requests `/` and stops it. */
const CALL = `
import { spawn } from 'node:child_process';
const server = spawn(process.execPath, ['output/server/index.mjs'], { stdio: 'inherit' });
const url = 'http://127.0.0.1:' + process.env.PORT;
const call = () => fetch(url).catch(() => new Promise((settle) => setTimeout(settle, 100)).then(call));
console.log(await (await call()).text());
server.kill();`;

const SEA = { main: 'app.cjs', output: 'app.blob', disableExperimentalSEAWarning: true };
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

let project: FreshProject;
let sink: IngestSink;

beforeAll(async () => {
  const tools = ['esbuild', 'nitropack@2.13.6', 'postject@1.0.0-alpha.6'];
  project = await FreshProject.create(['pino', 'winston', ...tools]);
}, 300_000);

afterAll(() => project?.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function environment(...more: string[]): string[] {
  return ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token', ...more];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as { port: number };
  await new Promise((settle) => server.close(settle));
  return port;
}

const numbers = (): unknown[] => sink.events.map(({ attributes }) => attributes.n);

it('a worker delivers all records in the output of Nitro, in a folder with nothing else', {
  timeout: 240_000,
}, async () => {
  await mkdir(join(project.path, 'routes'));
  await project.write('routes/index.ts', ROUTE);
  await project.write('nitro.config.ts', `export default { compatibilityDate: '2025-01-01', srcDir: '.' };`);
  expect(await project.run('npx', 'nitropack', 'build')).toMatchObject({ code: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'logclient-nitro-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(project.path, '.output'), join(folder, 'output'), { recursive: true, dereference: true });
  const call = await project.write('call.mjs', CALL);
  const port = await freePort();
  const run = await project.run('env', '-C', folder, ...environment(`PORT=${port}`), process.execPath, call);
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('logged'), stderr: '' });
  expect(numbers()).toEqual(TEN);
});

it('workers deliver all records in a single executable application', { timeout: 240_000 }, async () => {
  await mkdir(join(project.path, 'node'));
  await project.write('node/package.json', '{ "private": true }');
  const install = ['install', '--no-audit', '--no-fund', '--foreground-scripts', '--prefix', 'node'];
  expect(await project.run('npm', ...install, `node@${NODE}`)).toMatchObject({ code: 0 });
  const node = join(project.path, 'node/node_modules/node/bin/node');
  await copyFile(join(ROOT, 'test/fixtures/platform-app.mjs'), join(project.path, 'app.mjs'));
  const bundle = ['app.mjs', '--bundle', '--platform=node', '--outfile=app.cjs', '--log-level=error'];
  expect(await project.run('npx', 'esbuild', ...bundle)).toMatchObject({ code: 0 });
  await project.write('sea.json', JSON.stringify(SEA));
  expect(await project.run(node, '--experimental-sea-config', 'sea.json')).toMatchObject({ code: 0 });
  await copyFile(node, join(project.path, 'app'));
  const inject = ['app', 'NODE_SEA_BLOB', 'app.blob', '--sentinel-fuse', FUSE];
  expect(await project.run('npx', 'postject', ...inject)).toMatchObject({ code: 0 });
  for (const logging of ['createPinoTransport', 'winston']) {
    const before = numbers().length;
    const run = await project.run('env', ...environment(`LOGGING=${logging}`), './app');
    expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(numbers().slice(before)).toEqual(TEN);
  }
});
