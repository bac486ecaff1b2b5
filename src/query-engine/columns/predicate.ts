import { compileGlob, matchesEverything, type TextMatcher } from '../text/glob.ts';
import { toBoolean } from '../value.ts';
import { allTests, columnTest, type EventTest, notTest, someTest } from './column-test.ts';
import { computedValues, type Expression, type Predicate } from './expression.ts';

export function constantFilter(value: boolean): Predicate {
  return { over: () => value };
}

export function fieldFilter(name: string, test: (value: string | undefined) => boolean): Predicate {
  return { over: (table) => columnTest(table.column(name), test) };
}

/** A test of the number in a field; false if it has none. */
export function numberFilter(name: string, test: (number: number) => boolean): Predicate {
  return {
    over(table) {
      const numberAt = table.column(name).numberReader();
      return (index) => {
        const number = numberAt(index);
        return !Number.isNaN(number) && test(number);
      };
    },
  };
}

/** Whether a field exists and matches; `negated` inverts the result. */
export function fieldMatches(name: string, matches: TextMatcher, negated = false): Predicate {
  return fieldFilter(name, (value) => (value !== undefined && matches(value)) !== negated);
}

/** `field = pattern` and its variants. */
export function fieldPattern(
  name: string,
  pattern: string,
  options: { anchored: boolean; negated?: boolean; ignoreCase?: boolean },
): Predicate {
  const { negated = false } = options;
  if (matchesEverything(pattern)) return fieldFilter(name, (value) => (value === undefined) === negated);
  return fieldMatches(name, compileGlob(pattern, options), negated);
}

/** Whether an expression is true; null is not. */
export function isTrue({ over }: Expression): Predicate {
  return {
    over(table, run) {
      const values = over(table, run);
      return (index) => toBoolean(values.at(index)) === true;
    },
  };
}

export function truthOf({ over }: Predicate): Expression {
  return {
    over(table, run) {
      const test = over(table, run);
      return computedValues(typeof test === 'boolean' ? () => test : test);
    },
  };
}

export function allOf(filters: readonly Predicate[]): Predicate {
  return combined(filters, allTests);
}

export function someOf(filters: readonly Predicate[]): Predicate {
  return combined(filters, someTest);
}

export function negation(filter: Predicate): Predicate {
  return combined([filter], ([test = false]) => notTest(test));
}

function combined(
  filters: readonly Predicate[],
  combine: (tests: readonly EventTest[]) => EventTest,
): Predicate {
  return {
    over: (table, run) => combine(filters.map(({ over }) => over(table, run))),
  };
}
