import {
  constantFilter,
  fieldFilter,
  fieldPattern,
  freeTextPattern,
  isTrue,
  someOf,
} from '../columns/predicate.ts';
import {
  expression,
  fieldName,
  fieldNames,
  flag,
  listOf,
  number,
  text,
} from '../signature/argument-types.ts';
import { define, optional, required, unnamed, withDefault } from '../signature/function-spec.ts';
import { compileGlob, matchesEverything } from '../text/glob.ts';
import { hashText } from '../text/text-hash.ts';

/** Keeps events for which an expression is true. Null counts as false. */
export const test = define.filter({
  name: 'test',
  parameters: { expression: unnamed(expression) },
  compile: ({ expression: condition }) => ({ test: isTrue(condition) }),
});

/** Keeps events whose field equals one of the values; `*` in a value is a wildcard. */
export const inFunction = define.filter({
  name: 'in',
  parameters: {
    field: unnamed(fieldName),
    values: required(listOf(text)),
    ignoreCase: withDefault(flag, false),
  },
  compile({ field, values, ignoreCase }) {
    const fold = (value: string): string => (ignoreCase ? value.toLowerCase() : value);
    const exact = new Set(values.filter((value) => !value.includes('*')).map(fold));
    const globs = values
      .filter((value) => value.includes('*'))
      .map((value) => compileGlob(value, { anchored: true, ignoreCase }));
    const isOne = (value: string) => exact.has(fold(value)) || globs.some((matches) => matches(value));
    return { test: fieldFilter(field, (value) => value !== undefined && isOne(value)) };
  },
});

/** Keeps events in which a field matches a pattern or, without `field`, any string contains it. */
export const wildcard = define.filter({
  name: 'wildcard',
  parameters: {
    pattern: unnamed(text),
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

/** Keeps about this percentage of events; the selection is repeatable. */
export const sample = define.filter({
  name: 'sample',
  uncertain: [
    'Events are chosen by a hash of the field, so events with the same value are kept or dropped together.',
  ],
  parameters: {
    percentage: withDefault(number, 1, { unnamed: true }),
    field: withDefault(fieldName, '@timestamp'),
  },
  compile({ percentage, field }, call) {
    if (percentage < 0 || percentage > 100)
      call.fail('The percentage must be between 0 and 100', 'percentage');
    const bound = (percentage / 100) * 2 ** 32;
    return { test: fieldFilter(field, (value) => value !== undefined && hashText(value) < bound) };
  },
});

/** Drops every event: from a search like the filter `false`, in a parser for good. */
export const dropEvent = define.filter({
  name: 'dropEvent',
  uncertain: [
    'In a search, `dropEvent()` acts as the filter `false`, so the next clause of a `case` receives the event. In a parser, it drops the event permanently.',
  ],
  parameters: {},
  compile: () => ({
    test: {
      over:
        (_table, { discards, isParser }) =>
        () => {
          if (isParser) discards.count += 1;
          return false;
        },
    },
  }),
});
