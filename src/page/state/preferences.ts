import { effect, signal } from '@preact/signals';
import { tryOr } from '../../core/try-or.ts';
import { readKept } from './read-kept.ts';

/** A signal whose value is stored and shared by all tabs of the page. */
export function remembered<Value>(name: string, initial: Value): { value: Value } {
  const key = `logclient.${name}`;
  const kept = signal<Value>(readKept(stored(key), initial));
  effect(() => store(key, JSON.stringify(kept.value)));
  addEventListener('storage', ({ key: changed, newValue }) => {
    if (changed === key) kept.value = readKept(newValue, kept.value);
  });
  return kept;
}

/** Storage that all tabs share, or that belongs to one tab until it is closed. */
type Area = 'localStorage' | 'sessionStorage';

/** The stored string of a name; `null` if there is none or the browser blocks storage. */
export function stored(key: string, area: Area = 'localStorage'): string | null {
  return tryOr(null, () => window[area].getItem(key));
}

/** Stores a string, unless the browser blocks storage or it is full. */
export function store(key: string, text: string, area: Area = 'localStorage'): void {
  // Otherwise, the value is lost when the page is closed.
  tryOr(undefined, () => window[area].setItem(key, text));
}

/** Wide screens have enough space for the fields. */
export const showsFields = remembered('fields', matchMedia('(min-width: 900px)').matches);

const MAX_HISTORY = 100;
export const history = remembered<readonly string[]>('history', []);

/** Adds a query to the history, which is newest first without repetitions. */
export function addToHistory(query: string): void {
  if (query.trim() === '') return;
  history.value = [query, ...history.value.filter((known) => known !== query)].slice(0, MAX_HISTORY);
}
