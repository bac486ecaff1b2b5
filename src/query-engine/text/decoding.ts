import { readField } from '../event.ts';
import { fieldName } from '../signature/argument-types.ts';
import {
  defineValue,
  type FunctionSpec,
  optional,
  required,
  withDefault,
} from '../signature/function-spec.ts';
import { charset, decodeBytes } from './charset.ts';

export interface Decoding {
  readonly name: string;
  /** The field that it writes unless `as` names one. */
  readonly output: string;
  readonly uncertain?: readonly string[];
  /** The bytes that a text stands for; `undefined` when it is incomplete. */
  readonly bytesOf: (text: string) => Buffer | undefined;
}

/** A function that reads the bytes a field stands for as text. Bytes that are no text give no result. */
export function defineDecoding({ name, output, uncertain = [], bytesOf }: Decoding): FunctionSpec {
  return defineValue({
    name,
    output,
    uncertain,
    parameters: {
      field: required(fieldName, { unnamed: true }),
      charset: withDefault(charset, 'UTF-8'),
      as: optional(fieldName),
    },
    compile:
      ({ field, charset: encoding }) =>
      (row) => {
        const value = readField(row, field);
        const bytes = value === undefined ? undefined : bytesOf(value);
        return bytes && decodeBytes(bytes, encoding);
      },
  });
}
