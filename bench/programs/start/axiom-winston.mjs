import { WinstonTransport } from '@axiomhq/winston';
import winston from 'winston';

const transport = new WinstonTransport({ dataset: 'logs', token: 'token', url: process.env.URL });
const logger = winston.createLogger({ transports: [transport] });
for (let n = 0; n < 10; n++) logger.info(`rec-${n} request completed`, { n });
