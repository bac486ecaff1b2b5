// Keeps passwords, card numbers and addresses out of the log: they are taken out before a record leaves the logger, so
// nothing of them is sent, spooled or shown. Run `npx logclient serve` and set what it prints: LOGSCALE_URL and
// LOGSCALE_INGEST_TOKEN.
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

const order = {
  id: 'o-17',
  customer: { name: 'Ada', email: 'ada@example.org', password: 'tr0ub4dor' },
  payment: { card: '4111 1111 1111 1111', total: 41.9 },
};
const headers = { authorization: 'Bearer s3cr3t', accept: 'text/html' };

// pino does it by paths. `*` stands for any member; `remove: true` would leave nothing behind.
const pinoLogger = pino(
  {
    redact: {
      paths: ['req.headers.authorization', '*.*.password', '*.payment.card', '*.customer.email'],
      censor: (value, [, , name]) =>
        name === 'email' ? `…${value.slice(value.indexOf('@'))}` : '[redacted]',
    },
  },
  pino.transport({ target: 'logclient/pino', options: { tags: { service: 'orders-pino' } } }),
);
pinoLogger.info({ order, req: { headers } }, 'order placed');

// winston does it in a format, here by names, however deep. It changes a copy: the order is still needed.
const SECRET = new Set(['authorization', 'password', 'card', 'email']);
const redact = (value) => {
  if (typeof value === 'string') return value.replace(/\b(?:\d[ -]?){12,18}\d\b/g, '[card number]');
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (Array.isArray(value)) return value.map(redact);
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SECRET.has(name) ? '[redacted]' : redact(member),
  ]);
  return Object.fromEntries(members);
};
const redactSecrets = winston.format((info) => Object.assign(info, redact(info)));

const winstonLogger = winston.createLogger({
  format: redactSecrets(),
  transports: [new LogTransport({ tags: { service: 'orders-winston' } })],
});
winstonLogger.info('order placed, paid with 4111 1111 1111 1111', { order, req: { headers } });
