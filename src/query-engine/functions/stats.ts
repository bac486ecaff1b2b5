import { aggregates } from '../argument-types.ts';
import { defineAggregate, withDefault } from '../function-spec.ts';
import { countStep } from './count.ts';

/** Several aggregates over all events. */
export const stats = defineAggregate({
  name: 'stats',
  parameters: { function: withDefault(aggregates, countStep(), { unnamed: true }) },
  compile: (args) => args.function,
});
