// Loaded before everything else, with --require, so that what is loaded later is instrumented. The two instrumentations
// of loggers put trace_id, span_id and trace_flags into every record that is logged within a span.
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const { PinoInstrumentation } = require('@opentelemetry/instrumentation-pino');
const { WinstonInstrumentation } = require('@opentelemetry/instrumentation-winston');
const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');

// For you: with the span processor and the exporter that you have.
new NodeTracerProvider().register();

registerInstrumentations({
  instrumentations: [
    new HttpInstrumentation(),
    // The records go to LogScale; they need not go to OpenTelemetry as well.
    new PinoInstrumentation({ disableLogSending: true }),
    new WinstonInstrumentation({ disableLogSending: true }),
  ],
});
