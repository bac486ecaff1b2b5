import { type Members, type Place, requireObject } from '../ingest/request-shape.ts';
import { attributesOf, integerOf, isUnset, objects } from './json-values.ts';
import {
  attributes,
  double,
  fieldsOf,
  flag,
  id,
  integer,
  list,
  message,
  nonZero,
  nonZeroDouble,
  type Shape,
  snakeCase,
  text,
} from './message-shape.ts';
import { type OtlpRecord, RecordLimit } from './otlp-record.ts';

/** The kinds of metrics, by their names in JSON. */
export const KINDS = ['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary'] as const;
export type Kind = (typeof KINDS)[number];

const METRIC: Shape = { name: text, description: text, unit: text };
const DATA: Shape = { aggregationTemporality: nonZero(32, BigInt.asIntN), isMonotonic: flag };
const VALUE: Shape = { asDouble: double, asInt: integer(64, BigInt.asIntN) };
const BUCKETS: Shape = { offset: nonZero(32, BigInt.asIntN), bucketCounts: list(integer(64)) };
const EXEMPLAR: Shape = {
  ...VALUE,
  timeUnixNano: nonZero(64),
  traceId: id(16),
  spanId: id(8),
  filteredAttributes: attributes,
};
/** The members of all kinds of data points. */
const DATA_POINT: Shape = {
  ...VALUE,
  startTimeUnixNano: nonZero(64),
  timeUnixNano: nonZero(64),
  count: integer(64),
  sum: double,
  min: double,
  max: double,
  bucketCounts: list(integer(64)),
  explicitBounds: list(double),
  scale: integer(32, BigInt.asIntN),
  zeroCount: integer(64),
  zeroThreshold: nonZeroDouble,
  positive: message(BUCKETS),
  negative: message(BUCKETS),
  quantileValues: list(message({ quantile: double, value: double }, { quantile: 0, value: 0 })),
  exemplars: list(message(EXEMPLAR)),
  flags: nonZero(32),
};
const COUNTED = { count: 0 };
/** The members that protobuf does not send if they have these values. */
const DEFAULTS: Readonly<Record<Kind, Members>> = {
  gauge: {},
  sum: { isMonotonic: false },
  histogram: COUNTED,
  exponentialHistogram: { ...COUNTED, scale: 0, zeroCount: 0 },
  summary: { ...COUNTED, sum: 0 },
};

/** A metric without its data points. */
export interface MetricHead {
  readonly metric: Members;
  readonly kind: Kind;
  /** The member that has the data points. */
  readonly data: Members;
}

/** One data point, with the name, the unit and the type of its metric. Its own fields override its attributes. */
export function dataPoint({ metric, kind, data }: MetricHead, point: Members, place: Place): OtlpRecord {
  const limit = new RecordLimit();
  const time = isUnset(point.timeUnixNano)
    ? 0n
    : integerOf(point.timeUnixNano, `${place}.timeUnixNano`, BigInt.asUintN, 64);
  return {
    time,
    fields: {
      ...attributesOf(point, place, limit),
      ...fieldsOf(metric, METRIC, place, limit),
      type: snakeCase(kind),
      ...fieldsOf({ ...DEFAULTS[kind], ...data }, DATA, place, limit),
      ...fieldsOf({ ...DEFAULTS[kind], ...point }, DATA_POINT, place, limit),
    },
  };
}

/** The data points of a metric in JSON. */
export function* jsonDataPoints(metric: Members, place: Place): Generator<() => OtlpRecord> {
  for (const kind of KINDS) {
    if (isUnset(metric[kind])) continue;
    const data = requireObject(metric[kind], `${place}.${kind}`);
    const head: MetricHead = { metric, kind, data };
    for (const { member, place: at } of objects(data, 'dataPoints', `${place}.${kind}.`)) {
      yield () => dataPoint(head, member, at);
    }
  }
}
