import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSavedQuery, toSavedQuery } from '../../src/page/search/saved-search.ts';
import { readKept } from '../../src/page/state/read-kept.ts';
import { INITIAL_STATE, type SearchState } from '../../src/page/state/search-state.ts';
import { cases } from '../helpers/laws.ts';

describe('readKept()', () => {
  it.each([null, '', '{broken', 'null', '[1,2', '"text"', '{}', '5'])('%s is no list of queries', (text) => {
    expect(readKept(text, ['initial'])).toEqual(['initial']);
  });

  it('keeps the texts of a list that has others, too', () => {
    expect(readKept('["a", null, 5, "b"]', [] as string[])).toEqual(['a', 'b']);
  });

  it('returns a value of the type of the initial one, whatever is kept', () => {
    const initials = [true, 0, '', []];
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.constantFrom(...initials), (text, initial) => {
        const value: unknown = readKept<unknown>(text, initial);
        expect([typeof value, Array.isArray(value)]).toEqual([typeof initial, Array.isArray(initial)]);
      }),
      cases(),
    );
  });
});

describe('Saved queries', () => {
  const state: SearchState = {
    ...INITIAL_STATE,
    repository: 'shop',
    query: 'status>=500 | groupBy(path)',
    filters: [
      { text: 'service="cart"', isOff: false },
      { text: 'host="a"', isOff: true },
    ],
    levels: ['error'],
    start: '7d',
    columns: ['ms'],
    widths: ['90.ms'],
    bookmarks: ['1790000000000.id'],
    form: 'table',
    chart: 'bar',
    isLive: false,
    clearedAt: 5,
  };

  it('have the query that other programs run, with filters and levels, and the time range', () => {
    expect(toSavedQuery('mine', state)).toMatchObject({
      name: 'mine',
      queryString:
        'service="cart" level=/^(?:error|50|500|3|err|severe|fail)$/i | status>=500 | groupBy(path)',
      start: '7d',
      end: 'now',
      isLive: false,
    });
    expect(toSavedQuery('all', { ...INITIAL_STATE, start: 'all' })).toMatchObject({
      queryString: '*',
      start: '100years',
    });
  });

  it('bring back filters, levels, time range, columns, their widths and chart, but stay in the repository and change no bookmarks', () => {
    const { repository, files, bookmarks, clearedAt, ...shown } = state;
    expect(fromSavedQuery(toSavedQuery('mine', state))).toEqual({ ...shown, clearedAt: 0 });
    const { repository: _, files: __, bookmarks: ___, ...initial } = INITIAL_STATE;
    expect(fromSavedQuery(toSavedQuery('empty', INITIAL_STATE))).toEqual(initial);
  });

  it('count alone if another program saved or changed them', () => {
    const plain = { query: 'a=1', filters: [], levels: [], request: '' };
    expect(fromSavedQuery({ queryString: 'a=1', view: undefined })).toEqual(plain);
    expect(fromSavedQuery({ ...toSavedQuery('mine', state), queryString: 'a=1' })).toEqual(plain);
  });
});
