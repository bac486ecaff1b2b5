import { spawn } from 'node:child_process';
import { builtinModules } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { afterAll, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../helpers/eventually.ts';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { describeInstalled, FreshProject } from '../fresh-project.ts';

/** A Worker that receives records of pages, and logs with every form of delivery that runs in-process. */
const WORKER = `
import { Ingester } from 'logclient';
import { captureConsole } from 'logclient/console';
import { createIngestHandler } from 'logclient/ingest-handler';
import { LogTransport as LogLayerTransport } from 'logclient/loglayer';
import { createPinoStream } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import { LogLayer } from 'loglayer';
import winston from 'winston';

const forms = {
  async ingester(options) {
    const ingester = new Ingester(options);
    ingester.add({ attributes: { message: 'ingester' } });
    await ingester.close();
  },
  async pino(options) {
    const stream = createPinoStream(options);
    stream.write('{"level":30,"message":"pino"}\\n');
    await new Promise((resolve) => stream.once('close', resolve).end());
  },
  async winston(options) {
    const transport = new LogTransport({ ...options, worker: false });
    winston.createLogger({ transports: [transport] }).info('winston');
    await transport.flush();
  },
  async loglayer(options) {
    const transport = new LogLayerTransport({ ...options, worker: false });
    new LogLayer({ transport }).info('loglayer');
    await transport.close();
  },
  async console(options) {
    const restore = captureConsole({ ...options, worker: false });
    console.info('console');
    await restore();
  },
};

export default {
  async fetch(request, { LOGSCALE_URL: baseUrl, LOGSCALE_INGEST_TOKEN: ingestToken }, context) {
    const options = { baseUrl, ingestToken };
    const form = forms[new URL(request.url).pathname.slice(1)];
    if (form) {
      context.waitUntil(form(options));
      return new Response(null, { status: 204 });
    }
    const handler = createIngestHandler(options);
    const response = await handler(request);
    context.waitUntil(handler.ingester.close());
    return response;
  },
};
`;

/** As Wrangler bundles a Worker. */
const BUILTINS: Plugin = {
  name: 'builtins',
  setup({ onResolve }) {
    const names = builtinModules.filter((name) => !name.startsWith('_')).join('|');
    onResolve({ filter: new RegExp(`^(${names})$`) }, ({ path }) => ({
      path: `node:${path.replace('node:', '')}`,
      external: true,
    }));
  },
};

const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire('file:///worker.js');`;

const project = await FreshProject.create(['pino', 'winston', 'loglayer']);

afterAll(() => project.remove());

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** @returns the URL of the Worker. */
async function startWorker(program: string, sink: IngestSink): Promise<string> {
  await build({
    entryPoints: [await project.write('worker.mjs', WORKER)],
    outfile: join(project.path, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    conditions: ['workerd', 'worker', 'import'],
    plugins: [BUILTINS],
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
  const port = await freePort();
  const config = await project.write(
    'config.capnp',
    `using Workerd = import "/workerd/workerd.capnp";
    const config :Workerd.Config = (
      services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["public", "private"]))],
      sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
    );
    const worker :Workerd.Worker = (
      modules = [(name = "worker", esModule = embed "bundle.mjs")],
      compatibilityDate = "2026-08-01",
      compatibilityFlags = ["nodejs_compat"],
      bindings = [(name = "LOGSCALE_URL", text = "${sink.url}"), (name = "LOGSCALE_INGEST_TOKEN", text = "secret")]
    );`,
  );
  const child = spawn(program, ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.on('data', (text) => (stderr += text));
  const url = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) expect.fail(stderr);
    expect((await fetch(url).catch(() => undefined))?.status, stderr).toBe(405);
  });
  return url;
}

await describeInstalled(
  'workerd, the runtime of Cloudflare Workers',
  () => project.installProgram('workerd@1.20261117.1'),
  (folder) => {
    it('delivers the records of pages in parallel requests, and those of every form in-process', async () => {
      const sink = await IngestSink.open();
      onTestFinished(() => sink.close());
      const url = await startWorker(join(folder, 'node_modules/workerd/bin/workerd'), sink);
      const pages = Array.from({ length: 20 }, (_, n) => `page ${n}`);
      const forms = ['console', 'ingester', 'loglayer', 'pino', 'winston'];
      const send = (message: string) => {
        const body = JSON.stringify({ records: [{ timestamp: Date.now(), level: 'info', message }] });
        const headers = { origin: url, 'content-type': 'text/plain' };
        return fetch(`${url}/logs`, { method: 'POST', headers, body });
      };
      const responses = [...pages.map(send), ...forms.map((form) => fetch(`${url}/${form}`))];
      const statuses = (await Promise.all(responses)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([204]));
      await eventually(() => {
        const messages = sink.events.map(({ attributes: { message, msg } }) => message ?? msg);
        expect(messages.sort()).toEqual([...forms, ...pages].sort());
      });
    });
  },
);
