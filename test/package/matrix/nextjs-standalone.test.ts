import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject } from '../fresh-project.ts';
import { callServer } from './served-app.ts';

const TEN = Array.from({ length: 10 }, (_, index) => index + 1);

/** Logs when `/` is requested. */
const ROUTE = `
import { createLogging } from 'logclient/next';
import { createPinoTransport, flush } from 'logclient/pino';
import pino from 'pino';

export const dynamic = 'force-dynamic';

const create = {
  createPinoTransport: () => pino(createPinoTransport()),
  'pino.transport': () => pino(pino.transport({ target: 'logclient/pino' })),
};
const { log } = createLogging();

export async function GET() {
  const logger = create[process.env.LOGGING ?? '']?.();
  for (let n = 1; n <= 10; n++) {
    if (logger === undefined) log.info('hello', { n });
    else logger.info({ n }, 'hello');
  }
  if (logger !== undefined) await flush(logger);
  return new Response('logged');
}`;

/** The recipe of docs/platforms.md. */
const CONFIG = `
export default {
  output: 'standalone',
  outputFileTracingIncludes: {
    '/*': ['./node_modules/logclient/package.json', './node_modules/logclient/dist/*.cjs'],
  },
};`;

const project = await FreshProject.create(['pino']);
afterAll(() => project.remove());

const install = (): Promise<void> => project.install('next@16.4.6', 'react@19.3.1', 'react-dom@19.3.1');

await describeInstalled('Next.js standalone', install, () => {
  beforeAll(async () => {
    await mkdir(join(project.path, 'app'));
    await project.write('app/route.js', ROUTE);
  });

  it.each([
    ['Turbopack', '--turbopack'],
    ['webpack', '--webpack'],
  ])(
    'the output of %s delivers all records, in a folder with nothing else',
    async (_, bundler) => {
      await rm(join(project.path, '.next'), { recursive: true, force: true });
      await project.write('next.config.mjs', CONFIG);
      const { code, stdout, stderr } = await project.build(
        'env',
        'NEXT_TELEMETRY_DISABLED=1',
        'npx',
        'next',
        'build',
        bundler,
      );
      expect(code, stdout + stderr).toBe(0);
      const folder = await mkdtemp(join(tmpdir(), 'logclient-standalone-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      await cp(join(project.path, '.next/standalone'), folder, { recursive: true, verbatimSymlinks: true });
      for (const logging of ['logclient/next', 'createPinoTransport', 'pino.transport']) {
        const sink = await IngestSink.open();
        onTestFinished(() => sink.close());
        const service = [`LOGSCALE_URL=${sink.url}`, 'LOGSCALE_INGEST_TOKEN=token', `LOGGING=${logging}`];
        const run = await callServer(project, folder, 'server.js', service);
        expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('logged'), stderr: '' });
        // Some arrive after the response, or when the server exits.
        await expect
          .poll(() => [logging, ...sink.events.map(({ attributes }) => attributes.n)])
          .toEqual([logging, ...TEN]);
      }
    },
    360_000,
  );
});
