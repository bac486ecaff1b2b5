import { constantFilter } from '../columns/predicate.ts';
import { filterStep } from '../operators/field-steps.ts';
import { durationMs, fieldName, text } from '../signature/argument-types.ts';
import { define, optional, required, unnamed } from '../signature/function-spec.ts';

/** The value of a query parameter. Without a value or default, no field is written. */
export const betaParam = define.value({
  name: 'beta:param',
  output: null,
  parameters: { parameter: unnamed(text), as: required(fieldName) },
  compile({ parameter: name }, { scope }) {
    const span = { start: 0, end: 0 };
    const { text: value, given } = scope.parameter({ kind: 'Parameter', name, quoted: true, span });
    return () => (given ? value : undefined);
  },
});

/** Sets how often the service repeats a live query. Results here are always current, so it has no effect. */
export const betaRepeating = define.transform({
  name: 'beta:repeating',
  partial: ['`interval` and `as` have no effect because live results are always current.'],
  parameters: { interval: optional(durationMs, { unnamed: true }), as: optional(fieldName) },
  compile: () => filterStep(constantFilter(true)),
});
