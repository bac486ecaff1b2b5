import { countStep } from '../aggregates/event-count.ts';
import { aggregates } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';

/** Several aggregates over all events. */
export const stats = defineAggregate({
  name: 'stats',
  partial: [
    'If two functions set a field to different values, the service returns an error. The local server warns and keeps the first value.',
  ],
  parameters: { function: withDefault(aggregates, countStep(), { unnamed: true }) },
  compile: (args) => args.function,
});
