import { createPinoStream } from 'logclient/pino';
import { Logger } from 'tslog';
import { pinoTransport } from 'tslog/presets/pino';

const stream = createPinoStream();
export const log = new Logger({
  type: 'hidden',
  attachedTransports: [pinoTransport((line) => stream.write(`${line}\n`))],
});

log.info({ orderId: 7 }, 'order placed');
