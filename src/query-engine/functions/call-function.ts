import { fieldName, text } from '../signature/argument-types.ts';
import { defineAggregate, type FunctionSpec, required, withDefault } from '../signature/function-spec.ts';
import { avg } from './avg.ts';
import { count } from './count.ts';
import { max } from './max.ts';
import { min } from './min.ts';
import { range } from './range.ts';
import { sum } from './sum.ts';

/** The functions that can be called by name. */
const CALLABLE: readonly FunctionSpec[] = [avg, count, max, min, range, sum];

/** An aggregate function whose name is a text or a parameter of the query, on one field. */
export const callFunction = defineAggregate({
  name: 'callFunction',
  parameters: {
    function: required(text, { unnamed: true }),
    field: required(fieldName),
    as: withDefault(fieldName, '_function'),
  },
  compile({ function: name, field, as }, call) {
    const called = CALLABLE.find((spec) => spec.name === name.toLowerCase());
    const compiled = called?.compile({ named: { field, as, distinct: false }, others: [] }, call);
    if (compiled?.kind === 'aggregate') return compiled.step;
    const names = CALLABLE.map((spec) => spec.name).join(', ');
    return call.fail(`callFunction() can call ${names}, but not ${name}`, 'function');
  },
});
