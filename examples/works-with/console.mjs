import { Console } from 'node:console';
import { createPinoStream } from 'logclient/pino';

const stream = createPinoStream();
export const log = new Console({ stdout: stream, stderr: stream });

log.info('order placed', { orderId: 7 });
