// An Express service that logs with pino and pino-http. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { flushOnSignals, type PinoTransportOptions } from 'logclient/pino';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';

const logger = pino(
  pino.transport<PinoTransportOptions>({
    target: 'logclient/pino',
    // pino-http logs all headers: `redact` replaces the secret ones.
    options: { redact: true, tags: { service: 'orders' } },
  }),
);

const app = express();

app.use(
  pinoHttp({
    logger,
    // Every record logged during a request has the request ID as `reqId`: the caller's ID, or a new one.
    genReqId: (request) => request.headers['x-request-id'] ?? randomUUID(),
    // Records logged during a request contain only `reqId`. The final record contains the whole request.
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

// Must come after all routes. pino-http logs `response.err` with its stack. Without this handler, Express prints the error.
const handleError: ErrorRequestHandler = (error, _request, response, _next) => {
  response.err = error;
  response.status(500).json({ error: 'Internal Server Error' });
};
app.use(handleError);

const server = app.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});

// On Ctrl-C, queued records are delivered before the exit; on SIGTERM, once the server is closed.
flushOnSignals(logger);
process.once('SIGTERM', () => server.close(() => logger.info('closed')));
