import { computed, signal } from '@preact/signals';
import { Http } from '../api/http.ts';
import { parseState, printState, type SearchState } from './search-state.ts';
import { onKeptToken, takeToken } from './token.ts';

export const token = signal(takeToken());
export const search = signal<SearchState>(parseState(location.hash));

export const http = new Http({
  baseUrl: new URL('.', location.href.split('#')[0]).href,
  token: () => token.value,
});

/** Repositories and views by name; `undefined` until they are known. */
export const repositories = signal<
  readonly { readonly name: string; readonly isView: boolean }[] | undefined
>(undefined);

/** The repository that is searched: the chosen one, or the first. */
export const repository = computed(() => search.value.repository || repositories.value?.[0]?.name || '');

/** Changes what the page shows. A step can be undone with the browser's back button, unless it `replaces` the last one. */
export function update(change: Partial<SearchState>, { replaces = false } = {}): void {
  search.value = { ...search.value, ...change };
  const address = `#${printState(search.value)}`;
  if (address === (location.hash || '#')) return;
  if (replaces) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
}

/** Follows the back button, links to this page, and the token of another tab. */
export function followAddress(): void {
  onKeptToken((kept) => {
    token.value = kept;
  });
  addEventListener('popstate', () => {
    const added = takeToken();
    if (added !== token.value) token.value = added;
    search.value = parseState(location.hash);
  });
}
