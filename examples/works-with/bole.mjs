import bole from 'bole';
import { createPinoStream } from 'logclient/pino';

bole.output({ level: 'info', stream: createPinoStream() });
export const log = bole('shop');

log.info({ orderId: 7 }, 'order placed');
