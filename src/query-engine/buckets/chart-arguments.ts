import { countStep } from '../aggregates/event-count.ts';
import type { AggregateStep } from '../operators/operator.ts';
import {
  aggregates,
  integer,
  limit,
  listOf,
  spanLength,
  text,
  timeZone,
} from '../signature/argument-types.ts';
import type { CallSite } from '../signature/call-site.ts';
import { type ArgumentsOf, optional, withDefault } from '../signature/function-spec.ts';
import type { BucketChartOptions } from './bucket-chart.ts';
import { lengthOfSpan, MAX_BUCKETS } from './bucket-span.ts';
import { convertColumns, type RowConversion, readUnit } from './unit-conversion.ts';

/** The parameters that `timeChart` and `bucket` share. */
export const chartParameters = {
  span: withDefault(spanLength, 'auto'),
  buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  function: withDefault(aggregates, countStep()),
  limit: withDefault(limit({ max: 500 }), 10),
  minSpan: optional(spanLength),
  timezone: optional(timeZone),
  unit: optional(listOf(text, 'strings')),
};

type ChartOptions = Omit<BucketChartOptions, 'name' | 'seriesFields' | 'extraData'>;

/** What the shared arguments say about a chart. With both a span and a number of buckets, the span counts. */
export function chartOptions(args: ArgumentsOf<typeof chartParameters>, call: CallSite): ChartOptions {
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
