import winston from 'winston';
import Transport from 'winston-transport';

const transport = new Transport({ log: (_, done) => done() });
const logger = winston.createLogger({ transports: [transport] });
for (let n = 0; n < 10; n++) logger.info(`rec-${n} request completed`, { n });
