// winston logs an uncaught exception or an unhandled rejection, then exits with status 1. Needs LOGSCALE_URL and
// LOGSCALE_INGEST_TOKEN.
import { LogTransport } from 'logclient/winston';
import winston from 'winston';

winston.createLogger({
  transports: [
    new winston.transports.Console({ handleExceptions: true, handleRejections: true }),
    new LogTransport({ handleExceptions: true, handleRejections: true, tags: { service: 'orders' } }),
  ],
});

Promise.reject(new Error('no stock'));
