// A Fastify service that sends its logs. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import Fastify from 'fastify';
import type { PinoTransportOptions } from 'logclient/pino';

const app = Fastify({
  logger: {
    transport: {
      target: 'logclient/pino',
      options: { tags: { service: 'orders' } } satisfies PinoTransportOptions,
    },
  },
  // Every record logged during a request has the request ID as `reqId`: the caller's ID, or a new one.
  requestIdHeader: 'x-request-id',
});

app.get<{ Params: { id: string } }>('/orders/:id', async (request) => {
  request.log.info({ order: { id: request.params.id } }, 'order read');
  return { id: request.params.id };
});

app.post<{ Querystring: { store: string } }>('/orders', async (request) => {
  // Fastify responds with status 500 and logs the error, with its stack in `err.stack`.
  throw new Error('no stock', { cause: new Error(`store ${request.query.store} is closed`) });
});

// Once the app is closed, the process delivers queued records and exits.
process.once('SIGTERM', () => app.close());
app.addHook('onClose', async () => app.log.info('closed'));

console.log(await app.listen({ port: Number(process.env.PORT ?? 3001) }));
