import { effect, signal } from '@preact/signals';

/** A signal whose value outlives the visit, and that the tabs of the page share. */
export function remembered<Value>(name: string, initial: Value): { value: Value } {
  const key = `logclient.${name}`;
  const saved = localStorage.getItem(key);
  const kept = signal<Value>(saved === null ? initial : (JSON.parse(saved) as Value));
  effect(() => localStorage.setItem(key, JSON.stringify(kept.value)));
  addEventListener('storage', ({ key: changed, newValue }) => {
    if (changed === key && newValue !== null) kept.value = JSON.parse(newValue) as Value;
  });
  return kept;
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
