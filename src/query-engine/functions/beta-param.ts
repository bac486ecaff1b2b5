import { fieldName, text } from '../signature/argument-types.ts';
import { defineValue, required } from '../signature/function-spec.ts';

/** The value of a parameter of the query. Without an argument and a default, nothing is written. */
export const betaParam = defineValue({
  name: 'beta:param',
  output: undefined,
  parameters: { parameter: required(text, { unnamed: true }), as: required(fieldName) },
  compile({ parameter: name }, { scope }) {
    const span = { start: 0, end: 0 };
    const { text: value, given } = scope.parameter({ kind: 'Parameter', name, quoted: true, span });
    return () => (given ? value : undefined);
  },
});
