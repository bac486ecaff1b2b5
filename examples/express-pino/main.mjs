// An Express service that logs with pino and pino-http. Run `npx logclient serve` and set what it prints: LOGSCALE_URL
// and LOGSCALE_INGEST_TOKEN. Takes PORT.
import { randomUUID } from 'node:crypto';
import express from 'express';
import pino from 'pino';
import pinoHttp from 'pino-http';

const logger = pino(
  // pino-http logs all headers.
  { redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'] },
  pino.transport({ target: 'logclient/pino', options: { tags: { service: 'orders' } } }),
);

const app = express();

app.use(
  pinoHttp({
    logger,
    // Every record of a request has its id, as `reqId`: that of the caller, or a new one.
    genReqId: (request) => request.headers['x-request-id'] ?? randomUUID(),
    quietReqLogger: true,
    customLogLevel: (_, response, error) => {
      if (error || response.statusCode >= 500) return 'error';
      return response.statusCode >= 400 ? 'warn' : 'info';
    },
  }),
);

app.get('/orders/:id', (request, response) => {
  request.log.info({ order: { id: request.params.id } }, 'order read');
  response.json({ id: request.params.id });
});

app.post('/orders', (request) => {
  throw new Error('no stock', { cause: new Error(`store ${request.query.store} is closed`) });
});

// Behind all routes. pino-http logs what it finds in `response.err`, with its stack; Express prints it without this.
app.use((error, _request, response, _next) => {
  response.err = error;
  response.status(500).json({ error: 'Internal Server Error' });
});

const server = app.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${server.address().port}`);
});

// When the server is closed the process ends by itself, and what is queued is delivered by then.
process.once('SIGTERM', () => server.close(() => logger.info('closed')));
