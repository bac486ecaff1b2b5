// Prints debug records without sending them. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import { createPinoTransport } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

// The logger's level must be the lowest level of its streams.
const pinoLogger = pino(
  { level: 'debug' },
  pino.multistream([
    { level: 'debug', stream: process.stdout },
    { level: 'info', stream: createPinoTransport({ tags: { service: 'orders-pino' } }) },
  ]),
);
pinoLogger.debug({ cache: { hits: 3 } }, 'cache read');
pinoLogger.info({ order: { id: 'o-17' } }, 'order placed');

const winstonLogger = winston.createLogger({
  level: 'debug',
  transports: [
    new winston.transports.Console({ format: winston.format.simple() }),
    new LogTransport({ level: 'info', tags: { service: 'orders-winston' } }),
  ],
});
winstonLogger.debug('cache read', { cache: { hits: 3 } });
winstonLogger.info('order placed', { order: { id: 'o-17' } });
