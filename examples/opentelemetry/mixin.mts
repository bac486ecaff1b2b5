// Adds the same fields without instrumentation, for bundles and ES modules, which --require doesn't reach.
import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { type PinoTransportOptions, traceFields as traceMixin } from 'logclient/pino';
import { LogTransport, traceFields as traceFormat } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

new NodeTracerProvider().register();

const pinoLogger = pino(
  { mixin: traceMixin(trace) },
  pino.transport<PinoTransportOptions>({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }),
);
const winstonLogger = winston.createLogger({
  format: traceFormat(trace),
  transports: [new LogTransport({ tags: { service: 'stock' } })],
});

trace.getTracer('shop').startActiveSpan('order', (span) => {
  pinoLogger.info('order received');
  winstonLogger.warn('stock is low');
  console.log(span.spanContext().traceId);
  span.end();
});
pinoLogger.info('outside of a span');
