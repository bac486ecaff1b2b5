import { aggregates, fieldName, integer, listOf, spanLength, text, timeZone } from '../argument-types.ts';
import { bucketChart } from '../bucket-chart.ts';
import { MAX_BUCKETS, type SpanOptions } from '../bucket-span.ts';
import type { CallSite } from '../call-site.ts';
import { defineAggregate, optional, withDefault } from '../function-spec.ts';
import type { AggregateStep } from '../operator.ts';
import { convertColumns, type RowConversion, readUnit } from '../unit-conversion.ts';
import { countStep } from './count.ts';

/** The parameters that cut time; `bucket` has them, too. */
export const chartParameters = {
  span: withDefault(spanLength, 'auto'),
  buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  function: withDefault(aggregates, countStep()),
  limit: withDefault(integer({ min: 1, max: 500 }), 10),
  minSpan: optional(spanLength),
  timezone: optional(timeZone),
  unit: optional(listOf(text, 'texts')),
};

/** Aggregates over time, for all events or for each value of a field. */
export const timeChart = defineAggregate({
  name: 'timeChart',
  parameters: { series: optional(fieldName, { unnamed: true }), ...chartParameters },
  compile(args, call) {
    const { series } = args;
    return bucketChart({
      name: 'timeChart',
      seriesFields: series === undefined ? [] : [series],
      inner: args.function,
      maxSeries: args.limit,
      span: spanOptions(args, call),
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

export function spanOptions({ span, buckets, minSpan }: SpanArguments, call: CallSite): SpanOptions {
  if (span !== 'auto' && buckets !== undefined) {
    call.fail('Set either "span" or "buckets", not both', 'buckets');
  }
  return {
    spanMs: span === 'auto' ? undefined : span,
    buckets,
    minSpanMs: minSpan === undefined || minSpan === 'auto' ? 0 : minSpan,
  };
}

export function unitConversion(
  units: readonly string[] | undefined,
  inner: AggregateStep,
  call: CallSite,
): RowConversion | undefined {
  if (units === undefined) return undefined;
  const columns = inner.columns(undefined) ?? [];
  if (units.length !== 1 && units.length !== columns.length) {
    call.fail(`"unit" must be one text, or as many as there are outputs (${columns.length})`, 'unit');
  }
  const factors = units.map(
    (unit) =>
      readUnit(unit) ??
      call.fail(`${JSON.stringify(unit)} is no conversion such as "bytes/span to Kbytes/day"`, 'unit'),
  );
  return factors.every((factor) => factor === 'label') ? undefined : convertColumns(columns, factors);
}
