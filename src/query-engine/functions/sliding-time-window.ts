import { requireOrder } from '../sequences/sequence.ts';
import { slidingAggregate } from '../sequences/sliding-window.ts';
import { aggregates, durationMs, fieldName, oneOf } from '../signature/argument-types.ts';
import { defineAggregate, required, withDefault } from '../signature/function-spec.ts';
import { timeOf } from '../time/event-time.ts';

const MAX_EVENTS = 10_000;

/** Adds to each row an aggregate of the rows in a time span before it, with or without the row itself. */
export const slidingTimeWindow = defineAggregate({
  name: 'slidingTimeWindow',
  parameters: {
    function: required(aggregates, { unnamed: true }),
    span: required(durationMs),
    current: withDefault(oneOf('include', 'exclude'), 'include'),
    timestampfield: withDefault(fieldName, '@timestamp'),
  },
  uncertain: [
    'A row whose age equals the span is outside the window.',
    'A row without a time is returned unchanged and is not part of any window.',
  ],
  compile({ function: inner, span, current, timestampfield }, call) {
    requireOrder('slidingTimeWindow', call);
    return slidingAggregate({
      name: 'slidingTimeWindow',
      inner,
      current,
      bounds(run) {
        let last = Number.NEGATIVE_INFINITY;
        return {
          has(row) {
            const time = timeOf(row, timestampfield);
            if (time === undefined) return false;
            if (time < last) {
              run.warn(
                `slidingTimeWindow() needs rows in ascending order of "${timestampfield}": sort them first.`,
              );
            }
            last = time;
            return true;
          },
          hasLeft(oldest, row, size) {
            const [time = 0, newest = 0] = [timeOf(oldest, timestampfield), timeOf(row, timestampfield)];
            if (time <= newest - span) return true;
            if (size <= MAX_EVENTS) return false;
            run.warn(`slidingTimeWindow() keeps at most ${MAX_EVENTS} rows per window.`);
            return true;
          },
        };
      },
    });
  },
});
