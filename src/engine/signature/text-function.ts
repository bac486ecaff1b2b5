import { converted } from '../columns/expression.ts';
import type { Value } from '../value.ts';
import { fieldName } from './argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from './function-spec.ts';

export interface TextFunction {
  readonly name: string;
  /** Default output field. */
  readonly output: string;
  readonly uncertain?: readonly string[];
  /** `undefined` if the text has no result. */
  readonly convert: (text: string) => Value;
}

/** A function of one field, without other parameters. */
export function defineTextFunction({ name, output, uncertain = [], convert }: TextFunction): FunctionSpec {
  return defineValue({
    name,
    output,
    uncertain,
    parameters: { field: required(fieldName, { unnamed: true }), as: optional(fieldName) },
    compile: ({ field }) => converted(field, convert),
  });
}
