import { countStep } from '../aggregates/event-count.ts';
import { aggregates } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

/** Several aggregates over all events. */
export const stats = defineAggregate({
  name: 'stats',
  partial: [
    'Two functions that give a field different values are an error on the service. Here a warning tells of them, and the first value is shown.',
  ],
  parameters: { function: withDefault(aggregates, countStep(), { unnamed: true }) },
  compile: (args) => args.function,
});
