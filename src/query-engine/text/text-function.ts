import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import { defineValue, type FunctionSpec, optional, required } from '../signature/function-spec.ts';
import type { Value } from '../value.ts';

export interface TextFunction {
  readonly name: string;
  /** The field that it writes unless `as` names one. */
  readonly output: string;
  readonly uncertain?: readonly string[];
  /** `undefined` for a text from which nothing can be made. */
  readonly convert: (text: string) => Value;
}

/** A function that makes something of the value of one field and has no other parameters. */
export function defineTextFunction({ name, output, uncertain = [], convert }: TextFunction): FunctionSpec {
  return defineValue({
    name,
    output,
    uncertain,
    parameters: { field: required(fieldName, { unnamed: true }), as: optional(fieldName) },
    compile:
      ({ field }) =>
      (row) => {
        const value = readField(row, field);
        return value === undefined ? undefined : convert(value);
      },
  });
}
