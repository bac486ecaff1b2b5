import type { RequestKind } from './protobuf-decoder.ts';

/** A signal that the server answers, but does not store. */
export interface OtherSignal extends RequestKind {
  readonly name: 'traces' | 'metrics';
  /** The member of a partial success. */
  readonly rejected: 'rejectedSpans' | 'rejectedDataPoints';
  /** The way from a request to its records: members in JSON, and fields in protobuf. */
  readonly path: readonly (readonly [members: readonly string[], fields: readonly number[]])[];
  readonly reason: string;
}

export const OTHER_SIGNALS: readonly OtherSignal[] = [
  {
    name: 'traces',
    rejected: 'rejectedSpans',
    request: 'ExportTraceServiceRequest',
    path: [
      [['resourceSpans'], [1]],
      [['scopeSpans'], [2]],
      [['spans'], [2]],
    ],
    reason: 'The local server stores logs, but no spans. Set OTEL_TRACES_EXPORTER=none.',
  },
  {
    name: 'metrics',
    rejected: 'rejectedDataPoints',
    request: 'ExportMetricsServiceRequest',
    path: [
      [['resourceMetrics'], [1]],
      [['scopeMetrics'], [2]],
      [['metrics'], [2]],
      [
        ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'],
        [5, 7, 9, 10, 11],
      ],
      [['dataPoints'], [1]],
    ],
    reason: 'The local server stores logs, but no metrics. Set OTEL_METRICS_EXPORTER=none.',
  },
];
