// Loaded with --require before everything else, so that later modules are instrumented. The instrumentations of the
// loggers add trace_id, span_id and trace_flags to every record within a span.
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { PinoInstrumentation } from '@opentelemetry/instrumentation-pino';
import { WinstonInstrumentation } from '@opentelemetry/instrumentation-winston';
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node';

// In production, add your span processor and exporter.
new NodeTracerProvider().register();

registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation(),
    // logclient sends the records, so don't send them to OpenTelemetry as well.
    new PinoInstrumentation({ disableLogSending: true }),
    new WinstonInstrumentation({ disableLogSending: true }),
  ],
});
