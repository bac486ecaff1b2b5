import { createPinoStream } from 'logclient/pino';
import signale from 'signale';

export const log = new signale.Signale({ stream: createPinoStream() });

log.info('order placed %d', 7);
