// Keeps passwords, card numbers and addresses out of the log. Needs LOGSCALE_URL and LOGSCALE_INGEST_TOKEN.
import type { PinoTransportOptions } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

const order = {
  id: 'o-17',
  customer: { name: 'Ada', email: 'ada@example.org', password: 'tr0ub4dor' },
  payment: { card: '4111 1111 1111 1111', total: 41.9 },
};
const headers = { authorization: 'Bearer s3cr3t', accept: 'text/html' };

// Replaces passwords, tokens, credentials in headers and card numbers; here also e-mail addresses and a field.
const redact = { keys: ['nickname'], patterns: { email: true } };

const pinoLogger = pino(
  pino.transport<PinoTransportOptions>({
    target: 'logclient/pino',
    options: { redact, tags: { service: 'orders-pino' } },
  }),
);
pinoLogger.info({ order, req: { headers } }, 'order placed');

const winstonLogger = winston.createLogger({
  transports: [new LogTransport({ redact, tags: { service: 'orders-winston' } })],
});
winstonLogger.info('order placed, paid with 4111 1111 1111 1111', { order, req: { headers } });
// The errors of HTTP clients contain the request.
winstonLogger.error('payment failed', Object.assign(new Error('status 402'), { config: { headers } }));
