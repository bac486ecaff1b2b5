import { LogTransport } from 'logclient/winston';
import winston from 'winston';

const transport = new LogTransport({ baseUrl: process.env.URL, ingestToken: 'token' });
const logger = winston.createLogger({ transports: [transport] });
for (let n = 0; n < 10; n++) logger.info(`rec-${n} request completed`, { n });
