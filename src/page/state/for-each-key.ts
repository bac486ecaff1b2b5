import { effect, untracked } from '@preact/signals';

/** Runs a task for each new value of a key, and aborts that for the one before. Returns what aborts the current one. */
export function forEachKey(keyOf: () => string | undefined, run: (signal: AbortSignal) => void): () => void {
  let previous: string | undefined;
  let current = new AbortController();
  effect(() => {
    const key = keyOf();
    if (key === undefined || key === previous) return;
    previous = key;
    current.abort();
    current = new AbortController();
    untracked(() => run(current.signal));
  });
  return () => current.abort();
}
