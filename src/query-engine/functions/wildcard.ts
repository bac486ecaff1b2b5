import { freeTextPattern } from '../columns/free-text.ts';
import { constantFilter, fieldPattern, someOf } from '../columns/predicate.ts';
import { fieldNames, flag, text } from '../signature/argument-types.ts';
import { defineFilter, optional, required, withDefault } from '../signature/function-spec.ts';
import { matchesEverything } from '../text/glob.ts';

/** Keeps events in which a field matches a pattern as a whole, or, without `field`, in which any text contains it. */
export const wildcard = defineFilter({
  name: 'wildcard',
  parameters: {
    pattern: required(text, { unnamed: true }),
    field: optional(fieldNames),
    ignoreCase: withDefault(flag, false),
    includeEverythingOnAsterisk: withDefault(flag, false),
  },
  compile({ pattern, field, ignoreCase, includeEverythingOnAsterisk }) {
    if (includeEverythingOnAsterisk && matchesEverything(pattern)) return { test: constantFilter(true) };
    if (field === undefined) return { test: freeTextPattern(pattern, ignoreCase) };
    const tests = field.map((name) => fieldPattern(name, pattern, { anchored: true, ignoreCase }));
    return { test: someOf(tests) };
  },
});
