import { liveEvents } from '../api/live-events.ts';
import { searchAgain } from '../search/run-search.ts';
import { http } from '../state/page-state.ts';
import { isRepositoryEmpty } from '../state/results.ts';

/** Searches again when the first record of a repository arrives. Returns a function that stops watching. */
export function watchFirstRecord(repository: string): () => void {
  const stop = new AbortController();
  const watch = async (): Promise<void> => {
    const options = { repository, queryString: '', onState: () => {}, signal: stop.signal };
    for await (const rows of liveEvents(http, options)) {
      if (rows.length === 0) continue;
      isRepositoryEmpty.value = false;
      searchAgain();
      return;
    }
  };
  // Without streams the reader has to reload the page.
  watch().catch(() => {});
  return () => stop.abort();
}
