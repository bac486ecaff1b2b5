import { afterAll, beforeAll, expect, it } from 'vitest';
import { IngestSink } from '../../helpers/ingest-sink.ts';
import { FreshProject } from '../fresh-project.ts';

let project: FreshProject;

beforeAll(async () => {
  project = await FreshProject.create([
    'express@5.3.0',
    'express4@npm:express@4',
    'fastify@5.12.8',
    'hono',
    '@hono/node-server',
  ]);
}, 180_000);

afterAll(() => project.remove());

/** Sends valid and invalid requests, and prints the statuses. */
const program = (serve: string): string => `
import { once } from 'node:events';
import { createIngestHandler, toNodeHandler } from 'logclient/ingest-handler';
const handler = createIngestHandler({ maxRequestsPerMinute: 5, maxBodyBytes: 2_000 });
const url = await (async () => { ${serve} })();
const record = { timestamp: Date.now(), level: 'warn', message: 'héllo', fields: { a: { b: 1 } } };
const send = async (content, { origin = url, type = 'text/plain' } = {}) => {
  const headers = { origin, 'content-type': type };
  const response = await fetch(url + '/logs', { method: 'POST', headers, body: JSON.stringify(content) });
  return response.status;
};
const statuses = [
  await send({ records: [record] }),
  await send({ records: [record] }, { type: 'application/json' }),
  await send({ records: [record] }, { origin: 'https://evil.example' }),
  await send({ records: 1 }),
  await send({ records: [{ ...record, message: 'x'.repeat(3_000) }] }),
  await send({ records: [record] }, { type: 'application/json; charset=utf-8' }),
  await send({ records: [record] }),
];
await handler.ingester.close();
console.log(JSON.stringify(statuses));
process.exit();
`;

const LISTEN = `
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return 'http://127.0.0.1:' + server.address().port;`;

it.each([
  [
    'Express 5',
    `const { default: express } = await import('express'); const app = express(); app.post('/logs', toNodeHandler(handler)); ${LISTEN}`,
  ],
  [
    'Express 5 with body parsers',
    `const { default: express } = await import('express'); const app = express();
    app.use(express.json(), express.text()); app.post('/logs', toNodeHandler(handler)); ${LISTEN}`,
  ],
  [
    'Express 4 with body parsers',
    `const { default: express } = await import('express4'); const app = express();
    app.use(express.json(), express.text()); app.post('/logs', toNodeHandler(handler)); ${LISTEN}`,
  ],
  [
    'Fastify',
    `const { default: Fastify } = await import('fastify'); const app = Fastify();
    app.post('/logs', toNodeHandler(handler)); return app.listen({ port: 0, host: '127.0.0.1' });`,
  ],
  [
    'Hono',
    `const { Hono } = await import('hono'); const { serve } = await import('@hono/node-server');
    const { getConnInfo } = await import('@hono/node-server/conninfo');
    const app = new Hono();
    app.post('/logs', (c) => handler.handle(c.req.raw, getConnInfo(c).remote.address));
    return new Promise((resolve) => {
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve('http://127.0.0.1:' + port));
    });`,
  ],
])('createIngestHandler() accepts valid requests and rejects invalid ones in %s', async (_, serve) => {
  const sink = await IngestSink.open();
  try {
    await project.write('app.mjs', program(serve));
    process.env.LOGSCALE_URL = sink.url;
    process.env.LOGSCALE_INGEST_TOKEN = 'secret';
    const { code, stdout, stderr } = await project.node('app.mjs');
    expect({ code, stderr, stdout: stdout.trim() }).toEqual({
      code: 0,
      stderr: '',
      stdout: JSON.stringify([204, 204, 403, 400, 413, 204, 429]),
    });
    expect(sink.events.map(({ attributes }) => attributes)).toEqual(
      Array(3).fill({ a: { b: 1 }, userAgent: 'node', level: 'warn', message: 'héllo' }),
    );
  } finally {
    delete process.env.LOGSCALE_URL;
    delete process.env.LOGSCALE_INGEST_TOKEN;
    await sink.close();
  }
});
