// Roarr logs only if the environment has ROARR_LOG=true.
import { createPinoStream } from 'logclient/pino';
import { ROARR, Roarr } from 'roarr';

const stream = createPinoStream();
ROARR.write = (line) => stream.write(`${line}\n`);
export const log = Roarr.child({ service: 'shop' });

log.info({ orderId: 7 }, 'order placed');
