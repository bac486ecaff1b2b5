import { describe, expect, test } from 'vitest';
import { functionNames } from '../../src/engine/index.ts';
import { GOLDEN_CASES } from './golden/all.ts';
import { runOf } from './run-query.ts';

test('every function has a golden case, and every case has a function', () => {
  expect(Object.keys(GOLDEN_CASES).sort()).toEqual([...functionNames()].sort());
});

describe.each(Object.entries(GOLDEN_CASES))('%s', (_name, cases) => {
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
