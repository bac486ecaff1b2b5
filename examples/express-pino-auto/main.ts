// An Express service that logs to stdout with pino and pino-http. `npm start` also sends its records. Reads PORT.
import type { AddressInfo } from 'node:net';
import express, { type ErrorRequestHandler } from 'express';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';

// pino-http logs all headers, so redact the secret ones.
const logger = pino({
  redact: ['req.headers.authorization', 'req.headers.cookie', 'res.headers["set-cookie"]'],
});

const app = express();

app.use(pinoHttp({ logger }));

app.get('/orders/:id', (request, response) => {
  request.log.info({ order: { id: request.params.id } }, 'order read');
  response.json({ id: request.params.id });
});

app.post('/orders', (request) => {
  throw new Error(`no stock in ${request.query.store}`);
});

const handleError: ErrorRequestHandler = (error, request, response, _next) => {
  request.log.error(error);
  response.status(500).json({ error: 'Internal Server Error' });
};
app.use(handleError);

const server = app.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});
