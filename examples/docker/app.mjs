import { flushOnSignals } from 'logclient/pino';
import pino from 'pino';

const logger = pino(pino.transport({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }));
flushOnSignals(logger);
let orderId = 0;
setInterval(() => logger.info({ orderId: ++orderId }, 'order placed'), 1000);
