// An Express service that logs with winston. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler, type Response } from 'express';
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const logger = winston.createLogger({ transports: [new LogTransport({ tags: { service: 'orders' } })] });

const app = express();

// Every record logged during a request has the request ID: the caller's ID, or a new one.
app.use((request, response, next) => {
  const { method, path, headers } = request;
  const start = performance.now();
  const log = logger.child({ requestId: headers['x-request-id'] ?? randomUUID(), http: { method, path } });
  response.locals.log = log;
  response.once('finish', () => {
    const { statusCode: status } = response;
    const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
    log.log(level, 'request completed', { status, ms: Math.round(performance.now() - start) });
  });
  next();
});

const logOf = (response: Response): winston.Logger => response.locals.log;

app.get('/orders/:id', (request, response) => {
  logOf(response).info('order read', { order: { id: request.params.id } });
  response.json({ id: request.params.id });
});

app.post('/orders', (request) => {
  throw new Error('no stock', { cause: new Error(`store ${request.query.store} is closed`) });
});

// Must come after all routes. An error in a field keeps its stack and its cause.
const handleError: ErrorRequestHandler = (error, _request, response, _next) => {
  logOf(response).error('request failed', { error });
  response.status(500).json({ error: 'Internal Server Error' });
};
app.use(handleError);

const server = app.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});

// Once the server is closed, the process delivers queued records and exits.
process.once('SIGTERM', () => server.close(() => logger.info('closed')));
