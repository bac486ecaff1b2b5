// A Fastify service whose logger ships. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and
// LOGSCALE_INGEST_TOKEN. Takes PORT.
import Fastify from 'fastify';

const app = Fastify({
  logger: {
    transport: { target: 'logclient/pino', options: { tags: { service: 'orders' } } },
  },
  // Every record of a request has its id, as `reqId`: that of the caller, or a new one.
  requestIdHeader: 'x-request-id',
});

app.get('/orders/:id', async (request) => {
  request.log.info({ order: { id: request.params.id } }, 'order read');
  return { id: request.params.id };
});

app.post('/orders', async (request) => {
  // Fastify answers with 500 and logs the error: `level=error`, with its stack in `err.stack`.
  throw new Error('no stock', { cause: new Error(`store ${request.query.store} is closed`) });
});

// When the app is closed the process ends by itself, and what is queued is delivered by then.
process.once('SIGTERM', () => app.close());
app.addHook('onClose', async () => app.log.info('closed'));

console.log(await app.listen({ port: Number(process.env.PORT ?? 3001) }));
