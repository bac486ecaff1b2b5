import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  INITIAL_STATE,
  parseState,
  printState,
  type SearchState,
} from '../../src/page/state/search-state.ts';
import { anyCharacter, cases } from '../helpers/laws.ts';

const text = fc.string({ unit: anyCharacter });
const time = fc.constantFrom('1h', '24 hours', '1d@d', 'now@d', 'now', 'all', '0', '1790000000000');

const state: fc.Arbitrary<SearchState> = fc.record({
  repository: text,
  files: fc.array(text),
  query: text,
  filters: fc.array(fc.record({ text, isOff: fc.boolean() })),
  levels: fc.array(text),
  levelFields: fc.array(text, { minLength: 1 }),
  start: time,
  end: time,
  timeZone: text,
  isLive: fc.boolean(),
  isStreamed: fc.boolean(),
  order: fc.constantFrom('newest-last', 'newest-first'),
  view: fc.constantFrom('list', 'table', 'patterns', 'cost'),
  columns: fc.array(text),
  widths: fc.array(text),
  wrap: fc.constantFrom('off', 'on'),
  series: text,
  form: fc.constantFrom('chart', 'table'),
  chart: fc.constantFrom('line', 'area', 'bar'),
  scale: fc.constantFrom('linear', 'log'),
  measure: text,
  sort: text,
  data: text,
  moment: text,
  request: text,
  bookmarks: fc.array(text),
  clearedAt: fc.nat(),
});

describe('Search state in the URL', () => {
  it('is unchanged after printState() and parseState()', () => {
    fc.assert(
      fc.property(state, (given) => {
        expect(parseState(`#${printState(given)}`)).toEqual(given);
      }),
      cases(),
    );
  });

  it('is empty for the initial state', () => {
    expect(printState(INITIAL_STATE)).toBe('');
    expect(parseState('')).toEqual(INITIAL_STATE);
  });

  it('uses defaults for invalid values', () => {
    expect(parseState('#view=pie&order=random&chart=3d&cleared=soon&start=NaN&end=undefined')).toEqual(
      INITIAL_STATE,
    );
  });
});
