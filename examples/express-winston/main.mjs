// An Express service that logs with winston. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and
// LOGSCALE_INGEST_TOKEN. Takes PORT.
import { randomUUID } from 'node:crypto';
import express from 'express';
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const logger = winston.createLogger({ transports: [new LogTransport({ tags: { service: 'orders' } })] });

const app = express();

// Every record of a request has its id: that of the caller, or a new one.
app.use((request, response, next) => {
  const { method, path, headers } = request;
  const start = performance.now();
  request.log = logger.child({ requestId: headers['x-request-id'] ?? randomUUID(), http: { method, path } });
  response.once('finish', () => {
    const { statusCode: status } = response;
    const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
    request.log.log(level, 'request completed', { status, ms: Math.round(performance.now() - start) });
  });
  next();
});

app.get('/orders/:id', (request, response) => {
  request.log.info('order read', { order: { id: request.params.id } });
  response.json({ id: request.params.id });
});

app.post('/orders', (request) => {
  throw new Error('no stock', { cause: new Error(`store ${request.query.store} is closed`) });
});

// Behind all routes. As a field, an error keeps its stack and its cause.
app.use((error, request, response, _next) => {
  request.log.error('request failed', { error });
  response.status(500).json({ error: 'Internal Server Error' });
});

const server = app.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${server.address().port}`);
});

// When the server is closed the process ends by itself, and what is queued is delivered by then.
process.once('SIGTERM', () => server.close(() => logger.info('closed')));
