import { describe, expect, test } from 'vitest';
import { functionNames } from '../../src/engine/index.ts';
import { aggregateCases } from './golden/aggregates.ts';
import { arrayCases } from './golden/arrays.ts';
import { fieldCases } from './golden/fields.ts';
import { filterCases } from './golden/filters.ts';
import { moreAggregateCases } from './golden/more-aggregates.ts';
import { networkCases } from './golden/network.ts';
import { numberCases } from './golden/numbers.ts';
import { parsingCases } from './golden/parsing.ts';
import { sequenceCases } from './golden/sequences.ts';
import { tableCases } from './golden/tables.ts';
import { timeCases } from './golden/time.ts';
import { transformCases } from './golden/transforms.ts';
import { runOf } from './run-query.ts';

const CASES = {
  ...filterCases,
  ...fieldCases,
  ...arrayCases,
  ...numberCases,
  ...transformCases,
  ...aggregateCases,
  ...timeCases,
  ...parsingCases,
  ...networkCases,
  ...moreAggregateCases,
  ...sequenceCases,
  ...tableCases,
};

test('every function has a golden case, and every case has a function', () => {
  expect(Object.keys(CASES).sort()).toEqual([...functionNames()].sort());
});

describe.each(Object.entries(CASES))('%s', (_name, cases) => {
  test.each(cases.map((golden) => [golden[0], golden] as const))(
    '%s',
    (_query, [query, events, rows, options]) => {
      const before = structuredClone(events);
      const run = runOf(query, events, options);
      expect(run.rows()).toEqual(rows);
      expect(run.rows()).toEqual(rows);
      expect(events).toEqual(before);
    },
  );
});
