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

// pino redacts by path. `*` matches any key. To remove a field instead of censoring it, set `remove: true`.
const pinoLogger = pino(
  {
    redact: {
      paths: ['req.headers.authorization', '*.*.password', '*.payment.card', '*.customer.email'],
      censor: (value, path) =>
        path.at(-1) === 'email' ? `…${String(value).slice(String(value).indexOf('@'))}` : '[redacted]',
    },
  },
  pino.transport<PinoTransportOptions>({
    target: 'logclient/pino',
    options: { tags: { service: 'orders-pino' } },
  }),
);
pinoLogger.info({ order, req: { headers } }, 'order placed');

// winston redacts in a format. This format redacts fields by name at any depth, and card numbers in any string. It
// copies the values, because the app still uses its objects.
const SECRET = new Set(['authorization', 'password', 'card', 'email']);
function redact(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/\b(?:\d[ -]?){12,18}\d\b/g, '[card number]');
  if (typeof value !== 'object' || value === null || value instanceof Error) return value;
  if (Array.isArray(value)) return value.map(redact);
  const members = Object.entries(value).map(([name, member]) => [
    name,
    SECRET.has(name) ? '[redacted]' : redact(member),
  ]);
  return Object.fromEntries(members);
}
const redactSecrets = winston.format((info) => Object.assign(info, redact(info)));

const winstonLogger = winston.createLogger({
  format: redactSecrets(),
  transports: [new LogTransport({ tags: { service: 'orders-winston' } })],
});
winstonLogger.info('order placed, paid with 4111 1111 1111 1111', { order, req: { headers } });
