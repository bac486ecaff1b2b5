import { takeWhere } from '../columns/column-test.ts';
import type { Predicate } from '../columns/expression.ts';
import type { StreamStep } from './operator.ts';

export function filterStep({ over }: Predicate): StreamStep {
  return {
    open: (run, next) => ({
      from(table) {
        const test = over(table, run);
        return test === false ? undefined : takeWhere(test, next.from(table));
      },
    }),
  };
}
