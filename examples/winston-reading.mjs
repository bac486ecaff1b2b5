// Reads a winston logger's records back with winston's own query() and stream(). Needs LOGSCALE_URL,
// LOGSCALE_INGEST_TOKEN, LOGSCALE_TOKEN and LOGSCALE_REPOSITORY, which `npx logclient serve` prints.
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

// The tags identify this logger's records.
const transport = new LogTransport({ tags: { service: 'winston-reading', process: String(process.pid) } });
const logger = winston.createLogger({ transports: [transport] });

logger.info('order placed');
logger.error('payment failed', { cart: { total: 41.9, items: 3 } });

logger.query({ limit: 10, order: 'desc' }, (_, { logclient }) => {
  if (logclient instanceof Error) throw logclient;
  for (const { level, message, cart } of logclient) console.log(level, message, cart);

  const stream = logger.stream({ start: -1 }).on('log', ({ message }) => {
    console.log('live:', message);
    stream.destroy();
    logger.end();
  });
  logger.info('shipped');
});
