// Sends logs with the OpenTelemetry SDK. The exporter reads OTEL_EXPORTER_OTLP_LOGS_ENDPOINT and
// OTEL_EXPORTER_OTLP_LOGS_HEADERS.
import { trace } from '@opentelemetry/api';
import { logs } from '@opentelemetry/api-logs';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

new NodeTracerProvider().register();
const provider = new LoggerProvider({
  resource: resourceFromAttributes({ 'service.name': 'shop' }),
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
});
logs.setGlobalLoggerProvider(provider);

trace.getTracer('shop').startActiveSpan('order', (span) => {
  logs
    .getLogger('orders')
    .emit({ severityText: 'INFO', body: 'order received', attributes: { order: 'o-17' } });
  console.log(span.spanContext().traceId);
  span.end();
});

await provider.shutdown();
