import { takeWhere } from '../columns/column-test.ts';
import type { Predicate } from '../columns/expression.ts';
import type { StreamStep } from './operator.ts';

export function filterStep({ reads, over }: Predicate): StreamStep {
  return {
    reads,
    open: (run, next) => ({
      from(table) {
        const test = over(table, run);
        return test === false ? undefined : takeWhere(test, next.from(table));
      },
    }),
  };
}
