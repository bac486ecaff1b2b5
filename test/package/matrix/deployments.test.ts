import { copyFile, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject, ROOT } from '../fresh-project.ts';
import { callServer } from './served-app.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);
const NODE = '22.23.3';

/** Logs when `/` is requested. */
const route = (stream: string): string => `
import { createPinoTransport, flush } from 'logclient/pino';
import pino from 'pino';
const logger = pino(${stream});
export default defineEventHandler(async () => {
  for (let n = 1; n <= 10; n++) logger.info({ n }, 'hello');
  await flush(logger);
  return 'logged';
});`;

/** The settings of docs/platforms.md. */
const TRACE_INCLUDE = `externals: { traceInclude: ['node_modules/logclient/dist/pino.cjs'] },`;

const SEA = { main: 'app.cjs', output: 'app.blob', disableExperimentalSEAWarning: true };
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

const project = await FreshProject.create(['pino', 'winston', 'esbuild']);
let sink: IngestSink;

afterAll(() => project?.remove());

beforeEach(async () => {
  sink = await IngestSink.open();
  onTestFinished(() => sink.close());
});

function environment(...more: string[]): string[] {
  return ['LOGCLIENT_DISCOVERY=off', `LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token', ...more];
}

const numbers = (): unknown[] => sink.events.map(({ attributes }) => attributes.n);

await describeInstalled(
  'Nitro',
  () => project.install('nitropack@2.13.6'),
  () => {
    it.each([
      ['createPinoTransport', 'createPinoTransport()', ''],
      ['pino.transport, with traceInclude', "pino.transport({ target: 'logclient/pino' })", TRACE_INCLUDE],
    ])(
      'all records are delivered in the output of Nitro, in a folder with nothing else: %s',
      { timeout: 240_000 },
      async (_, stream, settings) => {
        await mkdir(join(project.path, 'routes'), { recursive: true });
        await project.write('routes/index.ts', route(stream));
        const config = `export default { compatibilityDate: '2025-01-01', srcDir: '.', ${settings} };`;
        await project.write('nitro.config.ts', config);
        expect(await project.build('npx', 'nitropack', 'build')).toMatchObject({ code: 0 });
        const folder = await mkdtemp(join(tmpdir(), 'logclient-nitro-'));
        onTestFinished(() => rm(folder, { recursive: true }));
        await cp(join(project.path, '.output'), join(folder, 'output'), {
          recursive: true,
          dereference: true,
        });
        const run = await callServer(project, folder, 'output/server/index.mjs', environment());
        expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('logged'), stderr: '' });
        expect(numbers()).toEqual(TEN);
      },
    );
  },
);

const installSea = async (): Promise<string> => {
  await project.install('postject@1.0.0-alpha.6');
  return project.installProgram(`node@${NODE}`);
};

await describeInstalled('Node for single executable applications', installSea, (folder) => {
  it('workers deliver all records in a single executable application', { timeout: 240_000 }, async () => {
    const node = join(folder, 'node_modules/node/bin/node');
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
});

await describeInstalled(
  'Bun',
  () => project.installProgram('bun@1.4.5'),
  (folder) => {
    it('all records are delivered by an executable of bun build --compile, in a folder with nothing else', {
      timeout: 240_000,
    }, async () => {
      await copyFile(join(ROOT, 'test/fixtures/platform-app.mjs'), join(project.path, 'app.mjs'));
      const bun = join(folder, 'node_modules/bun/bin/bun.exe');
      const compile = await project.run(bun, 'build', '--compile', 'app.mjs', '--outfile', 'compiled');
      expect(compile).toMatchObject({ code: 0 });
      const alone = await mkdtemp(join(tmpdir(), 'logclient-bun-'));
      onTestFinished(() => rm(alone, { recursive: true }));
      await copyFile(join(project.path, 'compiled'), join(alone, 'app'));
      for (const logging of ['createPinoTransport', 'createPinoStream', 'winston', 'ingester']) {
        for (const ending of ['', 'exit']) {
          const before = numbers().length;
          const variables = environment(`LOGGING=${logging}`, `ENDING=${ending}`);
          const run = await project.run('env', ...variables, join(alone, 'app'));
          expect(run).toEqual({ code: 0, stdout: '', stderr: '' });
          expect(numbers().slice(before)).toEqual(TEN);
        }
      }
    });
  },
);
