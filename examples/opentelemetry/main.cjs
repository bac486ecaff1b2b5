// Two services in one process, the shop with pino and its stock with winston. The shop asks the stock, and one query for
// the id of the trace finds the records of both. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and
// LOGSCALE_INGEST_TOKEN. Takes PORT.
const { once } = require('node:events');
const http = require('node:http');
const { trace } = require('@opentelemetry/api');
const { LogTransport } = require('logclient/winston');
const pino = require('pino');
const winston = require('winston');

const shopLogger = pino(pino.transport({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }));
const stockLogger = winston.createLogger({ transports: [new LogTransport({ tags: { service: 'stock' } })] });

const stock = http.createServer((request, response) => {
  stockLogger.warn('stock is low', { path: request.url });
  response.end('1');
});

const shop = http.createServer(async (request, response) => {
  shopLogger.info({ path: request.url }, 'order received');
  const [answer] = await once(http.get(`http://localhost:${stock.address().port}${request.url}`), 'response');
  await answer.toArray();
  shopLogger.error(new Error('no stock'), 'order refused');
  // Whoever reports a failure can name the trace.
  response.writeHead(409).end(trace.getActiveSpan().spanContext().traceId);
});

stock.listen(0, () => {
  shop.listen(Number(process.env.PORT ?? 3001), () => {
    console.log(`http://localhost:${shop.address().port}`);
  });
});

process.once('SIGTERM', () => {
  shop.close();
  stock.close();
});
