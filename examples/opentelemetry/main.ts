// Two services in one process: a shop that logs with pino, and a stock service that logs with winston. One query for the
// trace ID finds the records from both. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads PORT.
import { createServer, get, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { trace } from '@opentelemetry/api';
import { flushOnSignals, type PinoTransportOptions } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

const shopLogger = pino(
  pino.transport<PinoTransportOptions>({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }),
);
const stockLogger = winston.createLogger({ transports: [new LogTransport({ tags: { service: 'stock' } })] });

const stock = createServer((request, response) => {
  stockLogger.warn('stock is low', { path: request.url });
  response.end('1');
});

const shop = createServer((request, response) => {
  shopLogger.info({ path: request.url }, 'order received');
  get(urlOf(stock), async (answer) => {
    await text(answer);
    shopLogger.error(new Error('no stock'), 'order failed');
    // Users can quote the trace id in a report.
    response.writeHead(409).end(trace.getActiveSpan()?.spanContext().traceId);
  });
});

function urlOf(server: Server): string {
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

stock.listen(0, () => {
  shop.listen(Number(process.env.PORT ?? 3001), () => console.log(urlOf(shop)));
});

// pino's worker receives no signals.
flushOnSignals(shopLogger);
process.once('SIGTERM', () => {
  shop.close();
  stock.close();
});
