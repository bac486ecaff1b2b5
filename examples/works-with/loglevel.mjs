import { Ingester } from 'logclient';
import log from 'loglevel';

const ingester = new Ingester();
const { methodFactory } = log;
log.methodFactory = (level, ...rest) => {
  const print = methodFactory(level, ...rest);
  return (message, fields) => {
    print(message, fields);
    ingester.add({ attributes: { ...fields, level, message } });
  };
};
log.setLevel('info');

export { log };

log.info('order placed', { orderId: 7 });
