import { configure, getLogger } from '@logtape/logtape';
import { Ingester } from 'logclient';

const ingester = new Ingester();
await configure({
  sinks: {
    logscale: ({ timestamp, category, level, message, properties }) =>
      ingester.add({
        timestamp,
        attributes: { ...properties, level, logger: category.join('.'), message: message.join('') },
      }),
  },
  loggers: [
    { category: 'shop', sinks: ['logscale'], lowestLevel: 'info' },
    { category: ['logtape', 'meta'], lowestLevel: 'warning' },
  ],
});
export const log = getLogger('shop');

log.info('order placed: {orderId}', { orderId: 7 });
