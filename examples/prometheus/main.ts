// Serves the transport's counters as Prometheus metrics at /metrics. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN; reads
// PORT.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';
import { Counter, Gauge, register } from 'prom-client';

const transport = createPinoTransport({ tags: { service: 'orders' } });
const logger = pino(transport);

new Counter({
  name: 'logclient_records_total',
  help: 'Log records by outcome: delivered, or the reason they were dropped.',
  labelNames: ['outcome'],
  collect() {
    const { delivered, dropped } = transport.stats;
    this.reset();
    for (const [outcome, count] of Object.entries({ delivered, ...dropped })) this.inc({ outcome }, count);
  },
});

new Gauge({
  name: 'logclient_waiting_records',
  help: 'Log records that are not delivered yet.',
  collect() {
    const { queuedRecords, spooledRecords, inFlightRecords } = transport.stats;
    this.set(queuedRecords + spooledRecords + inFlightRecords);
  },
});

const server = createServer(async (request, response) => {
  if (request.url === '/metrics') {
    response.setHeader('content-type', register.contentType).end(await register.metrics());
  } else {
    logger.info({ path: request.url }, 'request received');
    response.end('ok');
  }
});

server.listen(Number(process.env.PORT ?? 3001), () => {
  console.log(`http://localhost:${(server.address() as AddressInfo).port}`);
});
process.once('SIGTERM', () => server.close());
