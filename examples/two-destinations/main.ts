// Prints every record and sends it to one repository, and errors to a second repository too, which can be on another LogScale instance.
// Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN for the first repository, and ERRORS_URL and ERRORS_INGEST_TOKEN for the
// second.
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

const { ERRORS_URL: baseUrl, ERRORS_INGEST_TOKEN: ingestToken } = process.env;

const pinoLogger = pino(
  pino.transport({
    targets: [
      { target: 'pino/file', options: { destination: 1 } }, // stdout
      { target: 'logclient/pino', level: 'info', options: { tags: { service: 'orders-pino' } } },
      {
        target: 'logclient/pino',
        level: 'error',
        options: { baseUrl, ingestToken, tags: { service: 'orders-pino' } }, // a second service
      },
    ],
  }),
);
pinoLogger.info({ order: { id: 'o-17' } }, 'order placed');
pinoLogger.error(new Error('no stock'), 'order failed');

const winstonLogger = winston.createLogger({
  transports: [
    new LogTransport({ tags: { service: 'orders-winston' } }),
    new LogTransport({ level: 'error', baseUrl, ingestToken, tags: { service: 'orders-winston' } }),
  ],
});
winstonLogger.info('order placed', { order: { id: 'o-17' } });
winstonLogger.error('order failed', { error: new Error('no stock') });
