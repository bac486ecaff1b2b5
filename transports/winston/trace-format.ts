import type { Logform } from 'winston';
import { type TraceApi, traceFields as traceMixin } from '../../src/ingest/kit/trace-fields.ts';

/**
 * Returns a winston format that adds `trace_id`, `span_id` and `trace_flags` of the active span to each record, and
 * nothing outside of spans.
 *
 * @example
 * const logger = winston.createLogger({ format: traceFields(trace), transports: [new LogTransport()] });
 *
 * @param trace `trace` of `@opentelemetry/api`.
 * @throws LogOptionsException if `trace` is something else
 */
export function traceFields(trace: TraceApi): Logform.Format {
  const fields = traceMixin(trace);
  return { transform: (info) => Object.assign(info, fields()) };
}
