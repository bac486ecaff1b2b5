import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineQuery } from '../../src/local-server/line-query/index.ts';
import { fullQuery, isEqual, isNotEqual } from '../../src/page/search/query-text.ts';
import { collect } from '../helpers/collect.ts';

const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const field = fc.stringMatching(/^[a-z][a-z .-]{0,8}[a-z]$/);

async function countMatches(records: readonly object[], query: string): Promise<number> {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  return (await collect(new LineQuery(query).run(lines))).flat().length;
}

describe('Filter for a field value', () => {
  it('isEqual() matches the records with the value, isNotEqual() all others', async () => {
    await fc.assert(
      fc.asyncProperty(field, value, value, async (name, wanted, other) => {
        const records = [{ [name]: wanted }, { [name]: other }];
        const equal = records.filter((record) => record[name] === wanted).length;
        expect(await countMatches(records, isEqual(name, wanted))).toBe(equal);
        expect(await countMatches(records, isNotEqual(name, wanted))).toBe(records.length - equal);
      }),
      { numRuns: 60 },
    );
  });
});

it.each(['and', 'or', 'not', 'OR', 'true', 'false', 'case', 'match', 'in', 'like', 'as'])(
  'isEqual() matches a field with the name %s',
  async (name) => {
    expect(await countMatches([{ [name]: 'x' }, { [name]: 'y' }], isEqual(name, 'x'))).toBe(1);
  },
);

describe('fullQuery()', () => {
  it('puts the active filters and the levels before the query', () => {
    const filters = [
      { text: 'a=1', isOff: false },
      { text: 'b=2', isOff: true },
    ];
    expect(fullQuery({ query: ' c=3 or d=4 ', filters, levels: ['error', 'warn'] })).toBe(
      'a=1 in(level, values=["error", "warn"]) | c=3 or d=4',
    );
    expect(fullQuery({ query: '', filters: [], levels: [] })).toBe('');
  });
});
