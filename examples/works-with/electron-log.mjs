import log from 'electron-log/node.js';
import { Ingester } from 'logclient';

const ingester = new Ingester();
const send = ({ date, level, data: [message, ...values] }) =>
  ingester.add({ timestamp: date, attributes: { ...Object.assign({}, ...values), level, message } });
log.transports.logscale = Object.assign(send, { level: 'info', transforms: [] });

export { log };

log.info('order placed', { orderId: 7 });
