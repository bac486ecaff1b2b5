import type { Members, Place } from '../ingest/request-shape.ts';
import { jsonDataPoints } from './data-point.ts';
import { logRecord } from './log-record.ts';
import type { OtlpRecord } from './otlp-record.ts';
import { spanRecord } from './span.ts';

/** How the requests of a signal differ from those of others. */
export interface Signal {
  readonly name: 'logs' | 'traces' | 'metrics';
  /** The members of a request in JSON. */
  readonly resources: string;
  readonly scopes: string;
  readonly records: string;
  /** The member of a partial success. */
  readonly rejected: string;
  /** The message of a request in protobuf. */
  readonly request: string;
  /** The events of a member of `records`. */
  json(member: Members, place: Place): Iterable<() => OtlpRecord>;
}

export const SIGNALS = {
  logs: {
    name: 'logs',
    resources: 'resourceLogs',
    scopes: 'scopeLogs',
    records: 'logRecords',
    rejected: 'rejectedLogRecords',
    request: 'ExportLogsServiceRequest',
    json: (member, place) => [() => logRecord(member, place)],
  },
  traces: {
    name: 'traces',
    resources: 'resourceSpans',
    scopes: 'scopeSpans',
    records: 'spans',
    rejected: 'rejectedSpans',
    request: 'ExportTraceServiceRequest',
    json: (member, place) => [() => spanRecord(member, place)],
  },
  metrics: {
    name: 'metrics',
    resources: 'resourceMetrics',
    scopes: 'scopeMetrics',
    records: 'metrics',
    rejected: 'rejectedDataPoints',
    request: 'ExportMetricsServiceRequest',
    json: jsonDataPoints,
  },
} as const satisfies Record<string, Signal>;
