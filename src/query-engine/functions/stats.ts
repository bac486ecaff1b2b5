import { aggregates } from '../signature/argument-types.ts';
import { defineAggregate, withDefault } from '../signature/function-spec.ts';
import { countStep } from './count.ts';

/** Several aggregates over all events. */
export const stats = defineAggregate({
  name: 'stats',
  uncertain: [
    'Two functions that give a field different values are told about in a warning, and the first value is shown.',
  ],
  parameters: { function: withDefault(aggregates, countStep(), { unnamed: true }) },
  compile: (args) => args.function,
});
