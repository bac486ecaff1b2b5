import { computed } from '../columns/expression.ts';
import { isTrue } from '../columns/predicate.ts';
import { expression } from '../signature/argument-types.ts';
import { defineFilter, type FunctionSpec, required } from '../signature/function-spec.ts';
import { toText } from '../value.ts';

/** A filter that compares the strings of two expressions. False if either is null. */
export function defineTextTest(name: string, holds: (text: string, part: string) => boolean): FunctionSpec {
  return defineFilter({
    name,
    parameters: {
      string: required(expression, { unnamed: true }),
      substring: required(expression),
    },
    compile: ({ string, substring }) => ({
      test: isTrue(
        computed([string, substring], (value, wanted) => {
          const [text, part] = [toText(value), toText(wanted)];
          return text !== undefined && part !== undefined && holds(text, part);
        }),
      ),
    }),
  });
}
