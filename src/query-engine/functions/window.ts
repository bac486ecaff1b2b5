import { countStep } from '../aggregates/event-count.ts';
import { MAX_BUCKETS } from '../buckets/bucket-span.ts';
import { BucketWindows } from '../buckets/bucket-windows.ts';
import type { AggregateStep } from '../operators/operator.ts';
import { aggregates, durationMs, integer } from '../signature/argument-types.ts';
import { defineAggregate, optional, withDefault } from '../signature/function-spec.ts';

/** In a `timeChart` or `bucket`: aggregates over the buckets before each one, without that bucket itself. */
export const window = defineAggregate({
  name: 'window',
  parameters: {
    function: withDefault(aggregates, countStep(), { unnamed: true }),
    span: optional(durationMs),
    buckets: optional(integer({ min: 1, max: MAX_BUCKETS })),
  },
  uncertain: ['A window ends before its bucket starts. Buckets with too few predecessors have no value.'],
  compile({ function: inner, span, buckets }, call) {
    const { caller } = call.scope;
    if (caller !== 'timeChart' && caller !== 'bucket') {
      call.fail('window() is only allowed in the argument "function" of timeChart() or bucket()');
    }
    if ((span === undefined) === (buckets === undefined))
      call.fail('window() needs either "span" or "buckets"');
    const step: AggregateStep = {
      columns: (before) => inner.columns(before),
      open(run) {
        const place = run.bucket;
        if (place === undefined) return inner.open(run);
        const { grid, first, shared, start } = place;
        let windows = shared.get(step) as BucketWindows | undefined;
        if (windows === undefined) {
          const length = buckets ?? Math.max(1, Math.round((span ?? 0) / grid.spanMs));
          windows = new BucketWindows({ grid, first, length, step: inner, run, last: run.end });
          shared.set(step, windows);
        }
        const opened = windows;
        return {
          from: (table) => opened.from(start, table),
          rows: () => opened.rowsAt(start),
        };
      },
    };
    return step;
  },
});
