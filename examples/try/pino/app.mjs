// `npm start` runs this program with a local server, and prints the records that arrive there.
import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';

const logger = pino(createPinoTransport({ tags: { service: 'cart' } }));

for (let order = 1; order <= 5; order++) {
  const ms = 40 * order ** 2;
  logger.info({ order, ms }, 'order placed');
  if (ms > 500) logger.warn({ order, ms }, 'payment is slow');
}
logger.error(new Error('card declined'), 'payment failed');
