// Ships the records of a pino logger. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN, which
// `npx logclient serve` prints.
import pino from 'pino';

const logger = pino(
  pino.transport({
    target: 'logclient/pino',
    options: { tags: { service: 'checkout', env: 'dev' }, tagFields: ['region'] },
  }),
);

logger.info({ region: 'eu', cart: { items: 3, total: 41.9 } }, 'order placed');
logger.child({ requestId: 'r-1' }).error(new Error('card declined'), 'payment failed');

// The callback runs once the records are delivered.
logger.flush((error) => console.log(error ?? 'delivered'));
