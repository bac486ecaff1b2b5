import log4js from 'log4js';
import { Ingester } from 'logclient';

const ingester = new Ingester();
const appender = ({ startTime, categoryName, level, data: [message, ...values], context }) =>
  ingester.add({
    timestamp: startTime,
    attributes: {
      ...context,
      ...Object.assign({}, ...values),
      level: level.levelStr.toLowerCase(),
      logger: categoryName,
      message,
    },
  });
log4js.configure({
  appenders: { logscale: { type: { configure: () => appender } } },
  categories: { default: { appenders: ['logscale'], level: 'info' } },
});
export const log = log4js.getLogger('shop');

log.info('order placed', { orderId: 7 });
