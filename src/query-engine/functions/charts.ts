import { countStep } from '../aggregates/result-rows.ts';
import { type BucketChartOptions, bucketChart } from '../buckets/bucket-chart.ts';
import { lengthOfSpan, MAX_BUCKETS } from '../buckets/bucket-span.ts';
import { convertColumns, type RowConversion, readUnit } from '../buckets/unit-conversion.ts';
import type { AggregateStep } from '../operators/operator.ts';
import {
  aggregates,
  fieldName,
  fieldNames,
  integer,
  limit,
  listOf,
  spanLength,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { type ArgumentsOf, defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

/** Parameters that `timeChart` and `bucket` share. */
const chartParameters = {
  span: withDefault(spanLength, 'auto'),
  buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  function: withDefault(aggregates, countStep()),
  limit: withDefault(limit({ max: 500 }), 10),
  minSpan: optional(spanLength),
  timezone: optional(timeZone),
  unit: optional(listOf(text, 'strings')),
};

type ChartOptions = Omit<BucketChartOptions, 'name' | 'seriesFields' | 'extraData'>;

/** The options of a chart from the shared arguments. `span` overrides `buckets`. */
function chartOptions(args: ArgumentsOf<typeof chartParameters>, call: CallSite): ChartOptions {
  const { span, buckets, function: inner, minSpan } = args;
  return {
    inner,
    maxSeries: args.limit,
    isOwnLimit: call.has('limit'),
    span: {
      span: span === 'auto' ? undefined : span,
      buckets: span === 'auto' ? buckets : undefined,
      minSpanMs: minSpan === undefined || minSpan === 'auto' ? 0 : lengthOfSpan(minSpan),
    },
    timeZone: args.timezone,
    conversion: unitConversion(args.unit, inner, call),
  };
}

function unitConversion(
  units: readonly string[] | undefined,
  inner: AggregateStep,
  call: CallSite,
): RowConversion | undefined {
  if (units === undefined) return undefined;
  const members = (inner.members ?? [inner]).map((member) => member.columns(undefined) ?? []);
  if (units.length !== 1 && units.length !== members.length) {
    call.fail(`"unit" must be one string, or one per function (${members.length})`, 'unit');
  }
  const factors = units.map(
    (unit) =>
      readUnit(unit) ??
      call.fail(`${JSON.stringify(unit)} is not a conversion such as "bytes/span to Kbytes/day"`, 'unit'),
  );
  if (factors.every((factor) => factor === 'label')) return undefined;
  return convertColumns(
    members.flatMap((columns, index) =>
      columns.map((name) => ({ name, factor: factors[index] ?? factors[0] ?? 'label' })),
    ),
  );
}

/** Aggregates per time bucket and per combination of key fields. */
export const bucket = defineAggregate({
  name: 'bucket',
  uncertain: [
    'Empty buckets produce rows, as in `timeChart()`.',
    'Events that lack any of the fields are ignored.',
  ],
  parameters: {
    ...chartParameters,
    span: { ...chartParameters.span, isUnnamed: true },
    field: withDefault(fieldNames, []),
  },
  compile: (args, call) =>
    bucketChart({
      ...chartOptions(args, call),
      name: 'bucket',
      seriesFields: args.field,
      extraData: args.field.length === 0 ? {} : { groupby_fields: args.field.join(',') },
    }),
});

/** Aggregates over time, for all events or per value of a field. */
export const timeChart = defineAggregate({
  name: 'timeChart',
  uncertain: [
    '"auto" selects the shortest span that gives at most 100 buckets: 1s, 5s, 10s, 15s, 30s, 1m, 5m, 10m, 15m, 30m, 1h, 3h, 6h, 12h, 1d, 1w, or several weeks.',
    'If both `span` and `buckets` are set, `span` wins.',
    'Events without the series field are ignored.',
    'A span such as "calendar: 1month" aligns with the calendar; multiples are counted from 1970.',
  ],
  parameters: { series: optional(fieldName, { unnamed: true }), ...chartParameters },
  compile(args, call) {
    const { series } = args;
    return bucketChart({
      ...chartOptions(args, call),
      name: 'timeChart',
      seriesFields: series === undefined ? [] : [series],
      extraData: {
        timechart: 'true',
        'ui:suggested-widget': 'time-chart',
        ...(series !== undefined && { series, groupby_fields: series }),
      },
    });
  },
});
