import { newEvents } from '../search/new-events.ts';
import { searchAgain } from '../search/run-search.ts';
import { isRepositoryEmpty } from '../state/results.ts';

/** Searches again when the first record of a repository arrives. Returns a function that stops watching. */
export function watchFirstRecord(repository: string): () => void {
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    const options = { queryString: '', onState: () => {}, signal: stop.signal };
    for await (const _ of newEvents(repository, options)) {
      isRepositoryEmpty.value = false;
      searchAgain();
      return;
    }
  };
  // After a failure, the user can reload the page.
  watch().catch(() => {});
  return () => stop.abort();
}
