import { computed, signal } from '@preact/signals';
import type { QuerySource } from '../../client/tail/query-source.ts';
import { openApi } from '../api/http.ts';
import { type Query, queryResult, querySource, type Result } from '../api/queries.ts';
import type { SearchDomain } from '../api/repositories.ts';
import { noteServerTime } from '../api/server-clock.ts';
import { parseState, printState, type SearchState } from './search-state.ts';
import { hasStreams } from './service.ts';
import { onKeptToken, takeToken } from './token.ts';

export const token = signal(takeToken());
export const search = signal<SearchState>(parseState(location.hash));

/** The search with which the page was opened. */
export const openedSearch = search.peek();

export const http = openApi({
  baseUrl: new URL('.', location.href.split('#')[0]).href,
  token: () => token.value,
  onDate: noteServerTime,
});

/** A repository to query. A service without streams has the API of Next-Gen SIEM. */
export function sourceOf(name: string): QuerySource {
  return querySource(http, name, hasStreams.value ? 'logscale' : 'ngsiem');
}

/** Repositories and views by name; `undefined` until they are known. */
export const repositories = signal<readonly SearchDomain[] | undefined>(undefined);

/** The searched repository: the selected one, or the first. */
export const repository = computed(() => search.value.repository || repositories.value?.[0]?.name || '');

/** The complete result of a static query on the searched repository. @throws like {@link queryResult} */
export function searchResult(query: Query): Promise<Result> {
  return queryResult(sourceOf(repository.peek()), query);
}

export function set<Value>(signal: { value: Value }, value: Value): void {
  signal.value = value;
}

/** Changes the state of the page. The back button of the browser undoes a change unless it `replaces` the last one. */
export function update(change: Partial<SearchState>, { replaces = false } = {}): void {
  search.value = { ...search.value, ...change };
  const address = `#${printState(search.value)}`;
  if (address === (location.hash || '#')) return;
  if (replaces) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}

/** Applies the back button, links to this page, and a token stored by another tab. */
export function followAddress(): void {
  onKeptToken((kept) => set(token, kept));
  addEventListener('popstate', () => {
    const added = takeToken();
    if (added !== token.value) token.value = added;
    const { bookmarks } = search.value;
    search.value = parseState(location.hash);
    // An earlier search must not lose the bookmarks that were set since.
    const all = new Set([...search.value.bookmarks, ...bookmarks]);
    update({ bookmarks: [...all] }, { replaces: true });
  });
}
