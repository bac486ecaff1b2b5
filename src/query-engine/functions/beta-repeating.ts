import { constantFilter } from '../columns/predicate.ts';
import { filterStep } from '../operators/filter-step.ts';
import { durationMs } from '../signature/argument-types.ts';
import { defineTransform, optional } from '../signature/function-spec.ts';

/** Tells the service how often to run a live query anew. Here every result is current, so nothing is to be done. */
export const betaRepeating = defineTransform({
  name: 'beta:repeating',
  partial: ['The interval has no effect because live results are always current.'],
  parameters: { interval: optional(durationMs, { unnamed: true }) },
  compile: () => filterStep(constantFilter(true)),
});
