import { bucketChart } from '../buckets/bucket-chart.ts';
import { chartOptions, chartParameters } from '../buckets/chart-arguments.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineAggregate, optional } from '../signature/function-spec.ts';

/** Aggregates over time, for all events or for each value of a field. */
export const timeChart = defineAggregate({
  name: 'timeChart',
  uncertain: [
    'The span "auto" is the shortest of 1s, 5s, 10s, 15s, 30s, 1m, 5m, 10m, 15m, 30m, 1h, 3h, 6h, 12h, 1d and 1w with at most 100 buckets; longer intervals have several weeks.',
    'With both span and buckets, span counts.',
    'Events without the field of the series are left out.',
    'A span such as "calendar: 1month" begins where the calendar does; several units are counted from 1970 on.',
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
