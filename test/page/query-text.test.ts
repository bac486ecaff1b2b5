import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { levelName } from '../../src/core/records/severity.ts';
import { compileQuery } from '../../src/engine/index.ts';
import { describeFunction, functionList } from '../../src/language/index.ts';
import { describeProblem } from '../../src/language/source.ts';
import { searchWords } from '../../src/page/search/parsed-query.ts';
import { definitionsEnd, fullQuery, isEqual, readableQuery } from '../../src/page/search/query-text.ts';
import { problemInEditor } from '../../src/page/search/reported-problem.ts';
import { filtersOf, INITIAL_STATE } from '../../src/page/state/search-state.ts';
import { LineQuery } from '../../src/server/line-query/index.ts';
import { collect } from '../helpers/collect.ts';
import { cases } from '../helpers/laws.ts';

const value = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const field = fc.stringMatching(/^[a-z][a-z .-]{0,8}[a-z]$/);

async function countMatches(records: readonly object[], query: string): Promise<number> {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  return (await collect(new LineQuery(query).run(lines))).flat().length;
}

describe('Words that a query finds', () => {
  it.each([
    ['shop', 'msg', ['shop', 'SHOP']],
    ['#service=shop', 'msg', []],
    ['#service=shop', '#service', ['shop', 'SHOP']],
    ['service=web or msg=*shop*', 'msg', ['shop', 'SHOP']],
    ['msg!=shop', 'msg', []],
    ['not shop', 'msg', []],
    ['web service=shop', 'service', ['web', 'shop', 'SHOP']],
    ['level=error | groupBy(shop)', 'shop', []],
    ['shop (', 'msg', []],
  ])('%s in %s', (query, field, expected) => {
    const pattern = searchWords(query)(field);
    expect(pattern === undefined ? [] : 'web shop SHOP'.match(pattern)).toEqual(expected);
  });

  it('another word is found in any field', () => {
    expect('in shop'.match(searchWords('level=error', 'shop')('msg')!)).toEqual(['shop']);
  });
});

describe('Filter for a field value', () => {
  it('isEqual() matches the records with the value, or with != all others', async () => {
    await fc.assert(
      fc.asyncProperty(field, value, value, async (name, wanted, other) => {
        const records = [{ [name]: wanted }, { [name]: other }];
        const equal = records.filter((record) => record[name] === wanted).length;
        expect(await countMatches(records, isEqual(name, wanted))).toBe(equal);
        expect(await countMatches(records, isEqual(name, wanted, '!='))).toBe(records.length - equal);
      }),
      cases(60),
    );
  });
});

it.each(['and', 'or', 'not', 'OR', 'true', 'false', 'case', 'match', 'in', 'like', 'as'])(
  'isEqual() matches a field with the name %s',
  async (name) => {
    expect(await countMatches([{ [name]: 'x' }, { [name]: 'y' }], isEqual(name, 'x'))).toBe(1);
  },
);

describe('The query of a search', () => {
  it('puts the active filters and the levels before the query', () => {
    const filters = [
      { text: 'a=1', isOff: false },
      { text: 'b=2', isOff: true },
    ];
    const levelFields = ['level'];
    expect(readableQuery({ query: ' c=3 or d=4 ', filters, levels: ['error', 'audit'], levelFields })).toBe(
      'a=1 level=/^(?:error|50|500|3|err|severe|fail|audit)$/i | c=3 or d=4',
    );
    expect(readableQuery({ query: '', filters: [], levels: [], levelFields })).toBe('');
  });

  it('puts the filters behind each function that is a definition', () => {
    const definitions = functionList().filter((name) => describeFunction(name)?.kind === 'definition');
    expect(definitions.length).toBeGreaterThan(1);
    for (const name of definitions) expect(definitionsEnd(`${name}(x) | a=1`)).toBe(`${name}(x) | `.length);
  });

  it('puts the filters behind definitions, which must be the first steps', () => {
    const filters = [{ text: 'a=1', isOff: false }];
    const definition = 'defineTable(name=t, query={b=2}, include=c)';
    const odd = 'defineTable(name="t)", query={b=/\\)"(/ | in(b, values=[")"])}, include=c)';
    expect(fullQuery({ query: `${odd} | c=3`, filters, levels: [] })).toBe(`${odd} | a=1 | c=3`);
    expect(fullQuery({ query: `${definition} | ${odd} | c=3`, filters, levels: [] })).toContain(
      ' | a=1 | c=3',
    );
    for (const query of [`${definition} | c=3`, `${definition}|\n c=3`, `${definition} // d\n| c=3`]) {
      const whole = fullQuery({ query, filters, levels: [] });
      expect(whole).toMatch(/^defineTable\(.*\)(?: \/\/ d\n)? \| a=1 \| c=3$/);
      expect([...compileQuery(whole).warnings]).toEqual([]);
    }
    expect(fullQuery({ query: definition, filters, levels: [] })).toBe(`${definition} | a=1`);
  });

  it('a level matches all its spellings, in every field that has one, and nothing else', async () => {
    const spellings = [
      'error',
      'ERROR',
      'Err',
      '50',
      '500',
      'warn',
      'WARNING',
      '40',
      'err or',
      'errors',
      'a*',
      '/',
    ];
    const records = spellings.flatMap((level) => [
      { level },
      { severity_text: level },
      { 'log.level': level },
    ]);
    for (const name of new Set(spellings.map(levelName))) {
      const query = fullQuery({ query: '', filters: [], levels: [name] });
      const wanted = spellings.filter((level) => levelName(level) === name).length;
      expect([name, await countMatches(records, query)]).toEqual([name, 3 * wanted]);
    }
  });
});

describe('An error of the service is shown at its place in the editor', () => {
  const conditions = { filters: filtersOf('ms>0'), levels: ['error'] };
  const definition = 'defineTable(name=t, query={level=warn}, include=path)';

  it.each([
    ['no | unknown(path)', {}, 'line 1, column 6'],
    ['no | unknown(path)', conditions, 'line 1, column 6'],
    ['  no | unknown(path) ', conditions, 'line 1, column 8'],
    ['no // a comment\n| unknown(path)', conditions, 'line 2, column 3'],
    [`${definition} | unknown(path)`, conditions, `line 1, column ${definition.length + 4}`],
  ])('%s %j', (query, filtered, place) => {
    const state = { ...INITIAL_STATE, query, ...filtered };
    const whole = fullQuery(state);
    const at = whole.indexOf('unknown');
    const { message, excerpt } = describeProblem(whole, { start: at, end: at + 7 }, 'Unknown "unknown"');
    const problem = problemInEditor(state, `${message}\n${excerpt}`)!;
    expect(query.slice(problem.start, problem.end)).toBe('unknown');
    expect(problem.text.split('\n')[0]).toBe(`Unknown "unknown" (${place})`);
    expect(problem.text).not.toContain('ms>0');
  });

  it('is nowhere in the editor if it is in a filter', () => {
    const state = { ...INITIAL_STATE, query: 'no', filters: filtersOf('unknown()') };
    expect(problemInEditor(state, 'Unknown "unknown" (line 1, column 1)')).toBeUndefined();
  });
});
