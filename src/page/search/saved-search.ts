import type { NewSavedQuery, SavedQuery } from '../api/saved-queries.ts';
import { NO_CONDITIONS, parseState, printState, type SearchState } from '../state/search-state.ts';
import { readableQuery } from './query-text.ts';
import { interval } from './time-range.ts';

/** A search as a saved query. Other programs find the same events, and this page shows them the same way. */
export function toSavedQuery(name: string, state: SearchState): NewSavedQuery {
  const { start, end } = interval(state);
  return {
    name,
    queryString: readableQuery(state) || '*',
    start: String(start),
    end: String(end),
    isLive: state.isLive,
    view: printState({ ...state, repository: '', files: [], bookmarks: [], clearedAt: 0 }),
  };
}

/** The state to restore from a saved query. If its text was changed elsewhere since, only the text is used. */
export function fromSavedQuery(saved: Pick<SavedQuery, 'queryString' | 'view'>): Partial<SearchState> {
  const { queryString, view } = saved;
  const { repository, files, bookmarks, ...state } = parseState(view ?? '');
  if (view !== undefined && (readableQuery(state) || '*') === queryString) return state;
  return { ...NO_CONDITIONS, query: queryString };
}
