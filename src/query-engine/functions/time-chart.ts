import { bucketChart } from '../buckets/bucket-chart.ts';
import { MAX_BUCKETS, type SpanOptions } from '../buckets/bucket-span.ts';
import { convertColumns, type RowConversion, readUnit } from '../buckets/unit-conversion.ts';
import type { AggregateStep } from '../operators/operator.ts';
import {
  aggregates,
  fieldName,
  integer,
  limit,
  listOf,
  spanLength,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';
import { countStep } from './count.ts';

/** The parameters that cut time; `bucket` has them, too. */
export const chartParameters = {
  span: withDefault(spanLength, 'auto'),
  buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  function: withDefault(aggregates, countStep()),
  limit: withDefault(limit({ max: 500 }), 10),
  minSpan: optional(spanLength),
  timezone: optional(timeZone),
  unit: optional(listOf(text, 'texts')),
};

/** Aggregates over time, for all events or for each value of a field. */
export const timeChart = defineAggregate({
  name: 'timeChart',
  uncertain: [
    'The span "auto" is the shortest of 1s, 5s, 10s, 15s, 30s, 1m, 5m, 10m, 15m, 30m, 1h, 3h, 6h, 12h, 1d and 1w with at most 100 buckets; longer intervals have several weeks.',
    'With both span and buckets, span counts.',
    'Events without the field of the series are left out.',
  ],
  parameters: { series: optional(fieldName, { unnamed: true }), ...chartParameters },
  compile(args, call) {
    const { series } = args;
    return bucketChart({
      name: 'timeChart',
      seriesFields: series === undefined ? [] : [series],
      inner: args.function,
      maxSeries: args.limit,
      span: spanOptions(args),
      isOwnLimit: call.has('limit'),
      timeZone: args.timezone,
      conversion: unitConversion(args.unit, args.function, call),
      extraData: {
        timechart: 'true',
        'ui:suggested-widget': 'time-chart',
        ...(series !== undefined && { series, groupby_fields: series }),
      },
    });
  },
});

interface SpanArguments {
  readonly span: number | 'auto';
  readonly buckets: number | undefined;
  readonly minSpan: number | 'auto' | undefined;
}

/** With both a span and a number of buckets, the span counts. */
export function spanOptions({ span, buckets, minSpan }: SpanArguments): SpanOptions {
  return {
    spanMs: span === 'auto' ? undefined : span,
    buckets: span === 'auto' ? buckets : undefined,
    minSpanMs: minSpan === undefined || minSpan === 'auto' ? 0 : minSpan,
  };
}

export function unitConversion(
  units: readonly string[] | undefined,
  inner: AggregateStep,
  call: CallSite,
): RowConversion | undefined {
  if (units === undefined) return undefined;
  const members = (inner.members ?? [inner]).map((member) => member.columns(undefined) ?? []);
  if (units.length !== 1 && units.length !== members.length) {
    call.fail(`"unit" must be one text, or as many as there are functions (${members.length})`, 'unit');
  }
  const factors = units.map(
    (unit) =>
      readUnit(unit) ??
      call.fail(`${JSON.stringify(unit)} is no conversion such as "bytes/span to Kbytes/day"`, 'unit'),
  );
  if (factors.every((factor) => factor === 'label')) return undefined;
  return convertColumns(
    members.flatMap((columns, index) =>
      columns.map((name) => ({ name, factor: factors[index] ?? factors[0] ?? 'label' })),
    ),
  );
}
