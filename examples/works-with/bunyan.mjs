import bunyan from 'bunyan';
import { createPinoStream } from 'logclient/pino';

export const log = bunyan.createLogger({ name: 'shop', streams: [{ stream: createPinoStream() }] });

log.info({ orderId: 7 }, 'order placed');
