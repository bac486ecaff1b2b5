// Logs an uncaught exception or an unhandled rejection; Node still prints it and exits with status 1. Needs LOGSCALE_URL
// and LOGSCALE_INGEST_TOKEN.
import { createPinoTransport } from 'logclient/pino';
import pino from 'pino';

const logger = pino(createPinoTransport({ tags: { service: 'orders' } }));

process.on('uncaughtExceptionMonitor', (err, origin) => logger.fatal({ err, origin }, 'uncaught exception'));

Promise.reject(new Error('no stock'));
