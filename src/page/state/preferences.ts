import { effect, signal } from '@preact/signals';
import { readKept } from './read-kept.ts';

/** A signal whose value outlives the visit, and that the tabs of the page share. */
export function remembered<Value>(name: string, initial: Value): { value: Value } {
  const key = `logclient.${name}`;
  const kept = signal<Value>(readKept(stored(key), initial));
  effect(() => store(key, JSON.stringify(kept.value)));
  addEventListener('storage', ({ key: changed, newValue }) => {
    if (changed === key) kept.value = readKept(newValue, kept.value);
  });
  return kept;
}

/** What all tabs share, and what one tab keeps until it is closed. */
type Area = 'localStorage' | 'sessionStorage';

/** The kept text of a name; `null` if there is none, or the browser permits no storage. */
export function stored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text, unless the browser permits no storage or has no room. */
export function store(key: string, text: string, area: Area = 'localStorage'): void {
  try {
    window[area].setItem(key, text);
  } catch {
    // It is kept until the page is closed.
  }
}

/** Wide screens have room for the fields. */
export const showsFields = remembered('fields', matchMedia('(min-width: 900px)').matches);

const MAX_HISTORY = 100;
export const history = remembered<readonly string[]>('history', []);

/** Remembers a query that ran, newest first, each once. */
export function addToHistory(query: string): void {
  if (query.trim() === '') return;
  history.value = [query, ...history.value.filter((known) => known !== query)].slice(0, MAX_HISTORY);
}
