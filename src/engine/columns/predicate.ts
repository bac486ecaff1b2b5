import type { NumberComparison } from '../../language/diagnostics/text-comparison.ts';
import { ComparedField } from '../run/compared-fields.ts';
import type { RunScope } from '../run/run-context.ts';
import { globSearch, matchesEverything } from '../text/glob.ts';
import { toBoolean } from '../value.ts';
import {
  allTests,
  columnTest,
  type EventTest,
  notTest,
  searchTest,
  someTest,
  type TextSearch,
  type Verdict,
} from './column-test.ts';
import { computedValues, type Expression, type Predicate } from './expression.ts';

export function constantFilter(value: boolean): Predicate {
  return { over: () => value };
}

export function fieldFilter(
  name: string,
  test: (value: string | undefined, run: RunScope) => Verdict,
): Predicate {
  return { over: (table, run) => columnTest(table.column(name), test, run) };
}

/** A comparison of the number in a field; false if it has none. Text in the field is noted for a warning. */
export function numberFilter(comparison: NumberComparison, test: (number: number) => boolean): Predicate {
  return {
    over(table, run) {
      const column = table.column(comparison.field);
      const numberAt = column.numberReader();
      const compared = run.compared?.at(comparison) ?? new ComparedField();
      return (index) => {
        const number = numberAt(index);
        if (Number.isNaN(number)) {
          if (compared.wantsText) compared.add(column.at(index));
          return false;
        }
        compared.hasNumber = true;
        return test(number);
      };
    },
  };
}

/** Whether a field exists and matches; `negated` inverts the result. */
export function fieldMatches(name: string, search: TextSearch, negated = false): Predicate {
  const filter: Predicate = { over: (table, run) => searchTest(table.column(name), search, run) };
  return negated ? negation(filter) : filter;
}

/** `field = pattern` and its variants. */
export function fieldPattern(
  name: string,
  pattern: string,
  options: { anchored: boolean; negated?: boolean; ignoreCase?: boolean },
): Predicate {
  const { negated = false } = options;
  if (matchesEverything(pattern)) return fieldFilter(name, (value) => (value === undefined) === negated);
  return fieldMatches(name, globSearch(pattern, options), negated);
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
