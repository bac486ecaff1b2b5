// Ships the records of a winston logger. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN, which
// `npx logclient serve` prints.
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const logger = winston.createLogger({
  level: 'debug',
  transports: [new LogTransport({ tags: { service: 'checkout', env: 'dev' } })],
});

logger.info('order placed', { cart: { items: 3, total: 41.9 } });
logger.error('payment failed', { requestId: 'r-1', error: new Error('card declined') });

// `finish` is emitted once the records are delivered.
logger.on('finish', () => console.log('delivered'));
logger.end();
