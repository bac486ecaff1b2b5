// Writes every record to a file and sends it. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import type { PinoTransportOptions } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';
import DailyRotateFile from 'winston-daily-rotate-file';

const pinoLogger = pino(
  pino.transport({
    targets: [
      { target: 'pino/file', options: { destination: 'logs/pino.log', mkdir: true } },
      {
        target: 'logclient/pino',
        options: { tags: { service: 'orders-pino' } } satisfies PinoTransportOptions,
      },
    ],
  }),
);
pinoLogger.info({ order: { id: 'o-17' } }, 'order placed');

const winstonLogger = winston.createLogger({
  transports: [
    new LogTransport({ tags: { service: 'orders-winston' } }),
    new winston.transports.File({ filename: 'logs/winston.log' }),
    new DailyRotateFile({ filename: 'logs/winston-%DATE%.log', maxFiles: '14d' }),
  ],
});
winstonLogger.info('order placed', { order: { id: 'o-17' } });
