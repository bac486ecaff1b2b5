import { bucketChart } from '../buckets/bucket-chart.ts';
import { chartOptions, chartParameters } from '../buckets/chart-arguments.ts';
import { fieldName, fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

/** Aggregates for each bucket of time, and within it for each combination of values of the key fields. */
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

/** Aggregates over time, for all events or for each value of a field. */
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
