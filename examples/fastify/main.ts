// A Fastify service that sends its logs. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import Fastify from 'fastify';
import { flushOnSignals, type PinoTransportOptions } from 'logclient/pino';

const app = Fastify({
  logger: {
    transport: {
      target: 'logclient/pino',
      options: { redact: true, tags: { service: 'orders' } } satisfies PinoTransportOptions,
    },
  },
  // Each record of a request has its ID as `reqId`: the caller's, or a new one.
  requestIdHeader: 'x-request-id',
});

app.get<{ Params: { id: string } }>('/orders/:id', async (request) => {
  request.log.info({ order: { id: request.params.id } }, 'order read');
  return { id: request.params.id };
});

app.post('/orders', async () => {
  // Fastify responds with status 500 and logs the error, with its stack and its cause.
  throw new Error('no stock', { cause: new Error('store oslo is closed') });
});

// On Ctrl-C, queued records are delivered before the exit; on SIGTERM, once the app is closed.
flushOnSignals(app.log);
process.once('SIGTERM', () => app.close());
app.addHook('onClose', async () => app.log.info('closed'));

// A container is called from outside. By default, Fastify only listens on localhost.
console.log(await app.listen({ port: Number(process.env.PORT ?? 3001), host: '0.0.0.0' }));
