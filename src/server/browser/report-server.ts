import type { StoredEvent } from '../store/stored-event.ts';
import { openBrowserServer } from './browser-server.ts';

/** What a report contains. */
interface ReportData {
  /** Name of the test. */
  readonly name: string;
  /** The query of the failed assertion; empty for all records. */
  readonly query: string;
  /** `now` in queries, epoch milliseconds: when the report was written, or the time of a later record. */
  readonly now: number;
  readonly records: readonly StoredEvent[];
}

/** The browser API that the report uses; the local server is compiled without browser types. */
interface Browser {
  readonly document: { getElementById(id: string): { readonly textContent: string } };
  readonly location: { readonly href: string; readonly hash: string };
  readonly history: { replaceState(state: null, unused: '', address: string): void };
}

const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/**
 * Runs in the HTML report of a failed test, before the web page: a local server with the records in the file answers the
 * requests of the page.
 */
export function serveReport(): void {
  const { document, history, location } = globalThis as unknown as Browser;
  const { records, now, query } = JSON.parse(
    document.getElementById('logclient-report').textContent,
  ) as ReportData;
  const contents = { repositories: { report: records }, now };
  const server = openBrowserServer({ ...contents, maxEvents: NO_LIMIT, maxBytes: NO_LIMIT });

  // Shows all records, or those of the query, unless the address says otherwise. Must run before the page reads it.
  if (location.hash === '') {
    const search = query === '' ? '' : `q=${encodeURIComponent(query)}&`;
    history.replaceState(null, '', `#${search}start=all&live=off`);
  }
  const base = new URL('.', location.href.split('#')[0]).href;
  globalThis.fetch = (url, { body, ...init } = {}) => {
    // The page calls the repository by the name of the test.
    const path = String(url)
      .slice(base.length)
      .replace(/(?<=\/repositories\/)[^/]+/, 'report');
    return server.respond(new Request(`http://localhost/${path}`, init), (body ?? '') as string);
  };
}
