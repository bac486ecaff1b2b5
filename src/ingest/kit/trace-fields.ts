import { LogOptionsException } from '../../core/errors.ts';

/** The part of `trace` of `@opentelemetry/api` that is used here. */
export interface TraceApi {
  getActiveSpan(): { spanContext(): ActiveSpanContext } | undefined;
  isSpanContextValid(context: ActiveSpanContext): boolean;
}

interface ActiveSpanContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Fields of the active span, with the names that the OpenTelemetry instrumentations of pino and winston use. */
export interface TraceFields {
  /** 32 hexadecimal digits. */
  readonly trace_id?: string;
  /** 16 hexadecimal digits. */
  readonly span_id?: string;
  /** Two hexadecimal digits: `01` if the trace is sampled, else `00`. */
  readonly trace_flags?: string;
}

/**
 * Returns a pino mixin that adds `trace_id`, `span_id` and `trace_flags` of the active span to each record, and nothing
 * outside of spans.
 *
 * @example
 * const logger = pino({ mixin: traceFields(trace) }, pino.transport({ target: 'logclient/pino' }));
 *
 * @param trace `trace` of `@opentelemetry/api`.
 * @throws LogOptionsException if `trace` is something else
 */
export function traceFields(trace: TraceApi): () => TraceFields {
  if (typeof trace?.getActiveSpan !== 'function') {
    throw new LogOptionsException(
      `traceFields needs trace of @opentelemetry/api: import { trace } from '@opentelemetry/api' and call traceFields(trace).`,
    );
  }
  return () => {
    const context = trace.getActiveSpan()?.spanContext();
    if (context === undefined || !trace.isSpanContextValid(context)) return {};
    const { traceId, spanId, traceFlags } = context;
    return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags.toString(16).padStart(2, '0') };
  };
}
