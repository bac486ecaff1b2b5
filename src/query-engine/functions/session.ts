import { countStep } from '../aggregates/event-count.ts';
import { partsOfSequence } from '../sequences/parts-of-sequence.ts';
import { aggregates, durationMs } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

const DEFAULT_PAUSE_MS = 15 * 60_000;

/** Aggregates each session: events in order of time, with no gap longer than a pause. */
export const session = defineAggregate({
  name: 'session',
  parameters: {
    function: withDefault(aggregates, countStep(), { unnamed: true }),
    maxpause: withDefault(durationMs, DEFAULT_PAUSE_MS),
  },
  uncertain: [
    'Rows contain only the output of the aggregate, not the duration or time of the session.',
    'A row without `@timestamp` belongs to the session of the preceding row.',
  ],
  compile: ({ function: inner, maxpause }) => ({
    columns: (before) => inner.columns(before),
    open(run) {
      const sessions = partsOfSequence(inner, run);
      let last: number | undefined;
      return {
        from(table) {
          const take = sessions.from(table);
          return (index) => {
            const known = table.timeAt(index);
            const time = Number.isNaN(known) ? last : known;
            if (time !== undefined && last !== undefined && Math.abs(time - last) > maxpause) sessions.cut();
            last = time;
            take(index);
          };
        },
        rows: () => sessions.rows(),
      };
    },
  }),
});
