import { bucketChart } from '../buckets/bucket-chart.ts';
import { chartOptions, chartParameters } from '../buckets/chart-arguments.ts';
import { fieldNames } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

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
