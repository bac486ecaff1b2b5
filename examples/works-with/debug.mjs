import { formatWithOptions } from 'node:util';
import debug from 'debug';
import { Ingester } from 'logclient';

const ingester = new Ingester();
debug.enable('shop');
debug.log = (...args) =>
  ingester.add({ attributes: { level: 'debug', message: formatWithOptions({ colors: false }, ...args) } });
export const log = debug('shop');

log('order %d placed', 7);
