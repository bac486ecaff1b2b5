// Ships the records of a winston logger. Run `npx logclient serve` and set what it prints:
// LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const logger = winston.createLogger({
  level: 'debug',
  transports: [new LogTransport({ tags: { service: 'checkout', env: 'dev' } })],
});

logger.info('order placed', { cart: { items: 3, total: 41.9 } });
logger.error('payment failed', { requestId: 'r-1', error: new Error('card declined') });

// `finish` comes when the service has the records.
logger.on('finish', () => console.log('delivered'));
logger.end();
