import { durationMs, fieldName } from '../signature/argument-types.ts';
import { defineValue, optional, required } from '../signature/function-spec.ts';

/** A duration such as `2d` in milliseconds. */
export const duration = defineValue({
  name: 'duration',
  output: '_duration',
  parameters: { duration: required(durationMs, { unnamed: true }), as: optional(fieldName) },
  compile:
    ({ duration: milliseconds }) =>
    () =>
      milliseconds,
});
