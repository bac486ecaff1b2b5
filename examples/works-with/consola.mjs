import { createConsola } from 'consola';
import { Ingester } from 'logclient';

const ingester = new Ingester();
export const log = createConsola({
  reporters: [
    {
      log: ({ date, type, tag, args, level: _, ...fields }) =>
        ingester.add({
          timestamp: date,
          attributes: { ...fields, level: type, logger: tag, message: args.join(' ') },
        }),
    },
  ],
});

log.info({ message: 'order placed', orderId: 7 });
