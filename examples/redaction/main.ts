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

// winston redacts in a format. This format redacts fields by name at any depth, also in errors, and card numbers and
// credentials in any string. It copies the values, because the app still uses its objects.
const SECRET = /^(?:authorization|cookie|set-cookie|password|card|email)$/i;
function redact(value: unknown, copies = new Map<unknown, unknown>()): unknown {
  if (typeof value === 'string') {
    const text = value.replace(/\b(?:\d[ -]?){12,18}\d\b/g, '[card number]');
    return text.replace(/\b(Bearer|Basic) [\w.~+/=-]+/gi, '$1 [redacted]');
  }
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (copies.has(value)) return copies.get(value);
  const isError = value instanceof Error;
  if (!isError && 'toJSON' in value && typeof value.toJSON === 'function') {
    copies.set(value, '[circular]');
    copies.set(value, redact(value.toJSON(), copies)); // For example, a Date or a URL.
    return copies.get(value);
  }
  const copy = isError ? Object.create(Object.getPrototypeOf(value)) : {};
  const list: unknown[] = [];
  const isList = Array.isArray(value) || value instanceof Set;
  copies.set(value, isList ? list : copy);
  if (isList) for (const member of value) list.push(redact(member, copies));
  if (isList) return list;
  const source: object = value instanceof Map ? Object.fromEntries(value) : value;
  // Includes what is not enumerable, such as the message and the cause of an error, and the symbols of winston.
  for (const key of Reflect.ownKeys(source)) {
    const member = SECRET.test(String(key)) ? '[redacted]' : redact(Reflect.get(source, key), copies);
    const enumerable = Object.prototype.propertyIsEnumerable.call(source, key);
    Object.defineProperty(copy, key, { value: member, enumerable, writable: true, configurable: true });
  }
  return copy;
}
const redactSecrets = winston.format((info) => redact(info) as winston.Logform.TransformableInfo);

const winstonLogger = winston.createLogger({
  format: redactSecrets(),
  transports: [new LogTransport({ tags: { service: 'orders-winston' } })],
});
winstonLogger.info('order placed, paid with 4111 1111 1111 1111', { order, req: { headers } });
// The errors of HTTP clients contain the request.
winstonLogger.error('payment failed', Object.assign(new Error('status 402'), { config: { headers } }));
