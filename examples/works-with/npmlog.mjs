import { Ingester } from 'logclient';
import log from 'npmlog';

const ingester = new Ingester();
log.on('log', ({ level, prefix, message }) =>
  ingester.add({ attributes: { level, logger: prefix, message } }),
);

export { log };

log.info('shop', 'order %d placed', 7);
