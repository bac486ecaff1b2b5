import { converted } from '../columns/expression.ts';
import type { Value } from '../value.ts';
import { fieldName, text } from './argument-types.ts';
import type { CallSite } from './call-site.ts';
import { define, type FunctionSpec, optional, unnamed } from './function-spec.ts';

export interface TextFunction {
  readonly name: string;
  /** Default output field, if it is not the name after `_`. */
  readonly output?: string;
  readonly uncertain?: readonly string[];
  /** Whether it has the parameter `type`. */
  readonly hasType?: true;
  /** `undefined` if the text has no result. */
  readonly convert: (text: string) => Value;
}

/** A function of one field. */
export function defineTextFunction({ hasType, convert, ...spec }: TextFunction): FunctionSpec {
  return define.value({
    ...spec,
    ...(hasType && { partial: [TYPE_NOTE] }),
    parameters: {
      field: unnamed(fieldName),
      ...(hasType && { type: optional(text) }),
    },
    compile({ field }, call) {
      warnOfType(call);
      return converted(field, convert);
    },
  });
}

/** The documentation of the service lists no values of `type`. */
export const TYPE_NOTE = '`type` has no effect.';

export function warnOfType(call: CallSite): void {
  if (call.has('type')) call.scope.warn('the parameter "type" has no effect here.');
}
