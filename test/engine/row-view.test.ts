import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rowExpression } from '../../src/engine/columns/row-view.ts';
import type { Fields } from '../../src/engine/index.ts';
import type { RunScope } from '../../src/engine/run/run-context.ts';
import { SearchBudget } from '../../src/engine/run/search-budget.ts';
import { cases } from '../helpers/laws.ts';
import { RowTable } from './row-table.ts';

const RUN: RunScope = {
  start: 0,
  end: 0,
  now: 0,
  timeZone: 'UTC',
  warn() {},
  discards: { count: 0 },
  searches: new SearchBudget(),
};
const NAMES = ['a', 'b', 'c', '__proto__', 'constructor'];

const name = fc.constantFrom(...NAMES);
const row = fc.dictionary(name, fc.constantFrom('', '1', 'x'), { noNullPrototype: true });
/** What a function reads: a field, all names, or another field only if the first is "x". */
const look: fc.Arbitrary<(row: Fields) => string | undefined> = fc.oneof(
  name.map((field) => (fields: Fields) => read(fields, field)),
  fc.constant((fields: Fields) => Object.keys(fields).sort().join()),
  fc.constant((fields: Fields) => JSON.stringify({ ...fields })),
  fc.tuple(name, name).map(([first, then]) => (fields: Fields) => {
    const value = read(fields, first);
    return value === 'x' ? `then ${read(fields, then)}` : value;
  }),
);

function read(fields: Fields, field: string): string | undefined {
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
}

test('a function called with a row view returns the same value as with the row itself', () => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      look,
      fc.subarray(NAMES),
      (rows, compute, expected) => {
        const many = [...rows, ...rows, ...rows];
        const values = rowExpression(compute, expected).over(new RowTable(many), RUN);
        expect(many.map((_, index) => values.at(index))).toEqual(many.map((fields) => compute(fields)));
      },
    ),
    cases(),
  );
});
