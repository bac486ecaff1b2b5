import { context, type Span, trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  NodeTracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace-node';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import winston from 'winston';
import { LogClient } from '../../src/index.ts';
import { startLocalServer } from '../../src/server/index.ts';
import { createPinoStream, traceFields as traceMixin } from '../../transports/pino/index.ts';
import { LogTransport, traceFields as traceFormat } from '../../transports/winston/index.ts';

function startTracing(sampler: Sampler): void {
  new NodeTracerProvider({ sampler }).register();
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
}

/** Logs with pino, winston and the OpenTelemetry SDK inside nested spans, and with pino and winston outside of them. */
async function logInSpans(): Promise<{ readonly client: LogClient; readonly spans: readonly Span[] }> {
  const server = await startLocalServer();
  onTestFinished(() => server.close());
  const { url: baseUrl, ingestToken, repository, userToken } = server;
  const stream = createPinoStream({ baseUrl, ingestToken });
  const transport = new LogTransport({ baseUrl, ingestToken, worker: false });
  const pinoLogger = pino({ mixin: traceMixin(trace) }, stream);
  const winstonLogger = winston.createLogger({
    format: winston.format.combine(traceFormat(trace), winston.format.json()),
    transports: [transport],
  });
  const headers = { authorization: `Bearer ${ingestToken}` };
  const exporter = new OTLPLogExporter({ url: `${baseUrl}/v1/logs`, headers });
  const provider = new LoggerProvider({ processors: [new BatchLogRecordProcessor({ exporter })] });

  const spans: Span[] = [];
  const log = (): void => {
    const span = trace.getActiveSpan();
    if (span !== undefined) spans.push(span);
    pinoLogger.info({ logger: 'pino' }, 'order received');
    winstonLogger.info('order received', { logger: 'winston' });
    if (span !== undefined) provider.getLogger('shop').emit({ attributes: { logger: 'otlp' } });
  };
  const tracer = trace.getTracer('shop');
  tracer.startActiveSpan('order', (order) => {
    log();
    tracer.startActiveSpan('payment', (payment) => {
      log();
      payment.end();
    });
    order.end();
  });
  log();
  await Promise.all([new Promise((resolve) => pinoLogger.flush(resolve)), transport.flush()]);
  await provider.shutdown();
  stream.end();
  winstonLogger.end();
  return { client: new LogClient({ baseUrl, repository, userToken }), spans };
}

describe('traceFields()', () => {
  it.each([
    ['sampled', new AlwaysOnSampler(), '01'],
    ['not sampled', new AlwaysOffSampler(), '00'],
  ])(
    'lets one query find the pino, winston and OTLP records of a trace that is %s',
    async (_, sampler, trace_flags) => {
      startTracing(sampler);
      const { client, spans } = await logInSpans();
      const [order, payment] = spans.map((span) => span.spanContext());
      expect(order!.traceId).toBe(payment!.traceId);
      const query = `trace_id=${order!.traceId} | groupBy([span_id, logger, trace_flags]) | select([span_id, logger, trace_flags])`;
      const expected = [order!, payment!].flatMap(({ spanId: span_id }) =>
        ['otlp', 'pino', 'winston'].map((logger) => ({ span_id, logger, trace_flags })),
      );
      const rows = await client.query(query);
      expect(rows).toHaveLength(6);
      expect(rows).toEqual(expect.arrayContaining(expected));
      expect(await client.query('trace_id!=* span_id!=* trace_flags!=* | groupBy(logger)')).toEqual([
        { logger: 'pino', _count: '1' },
        { logger: 'winston', _count: '1' },
      ]);
    },
  );

  it('adds nothing to records in spans of a no-op tracer', async () => {
    startTracing(new AlwaysOnSampler());
    // Removes the context manager, so these spans are active, with an invalid trace ID.
    trace.disable();
    const { client } = await logInSpans();
    expect(await client.query('trace_id=* or span_id=* or trace_flags=* | count()')).toEqual([
      { _count: '0' },
    ]);
  });

  it.each([
    ['pino', traceMixin],
    ['winston', traceFormat],
  ])('for %s throws an error with the fix if it is called without trace', (_, traceFields) => {
    for (const value of [undefined, null, {}, { trace }]) {
      expect(() => traceFields(value as never)).toThrow(
        "import { trace } from '@opentelemetry/api' and call traceFields(trace).",
      );
    }
  });
});
