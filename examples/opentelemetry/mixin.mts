// Adds the same fields without instrumentation, for bundles and ES modules, which --require doesn't reach. Needs only
// @opentelemetry/api and code that starts spans.
import { trace } from '@opentelemetry/api';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { PinoTransportOptions } from 'logclient/pino';
import { LogTransport } from 'logclient/winston';
import pino from 'pino';
import winston from 'winston';

new NodeTracerProvider().register();

function traceFields() {
  const span = trace.getActiveSpan()?.spanContext();
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {};
}

const pinoLogger = pino(
  { mixin: traceFields },
  pino.transport<PinoTransportOptions>({ target: 'logclient/pino', options: { tags: { service: 'shop' } } }),
);
const winstonLogger = winston.createLogger({
  format: winston.format((info) => Object.assign(info, traceFields()))(),
  transports: [new LogTransport({ tags: { service: 'stock' } })],
});

trace.getTracer('shop').startActiveSpan('order', (span) => {
  pinoLogger.info('order received');
  winstonLogger.warn('stock is low');
  console.log(span.spanContext().traceId);
  span.end();
});
pinoLogger.info('outside of a span');
