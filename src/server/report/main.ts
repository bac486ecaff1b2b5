/**
 * Runs in the HTML report of a failed test, before the web page: the requests of the page are answered from the records
 * in the file, so a report needs no server.
 */
import { useHashing } from '../../engine/index.ts';
import { nobleHashing } from '../browser/noble-hashing.ts';
import { type ReportData, ReportQueryJobs } from './query-jobs.ts';

/** The browser API that the report uses; the local server is compiled without browser types. */
interface Browser {
  readonly document: { getElementById(id: string): { readonly textContent: string } };
  readonly location: { readonly href: string; readonly hash: string };
  readonly history: { replaceState(state: null, unused: '', address: string): void };
}

useHashing(nobleHashing);
const { document, history, location } = globalThis as unknown as Browser;
const data = JSON.parse(document.getElementById('logclient-report').textContent) as ReportData;
const jobs = new ReportQueryJobs(data);
const base = new URL('.', location.href.split('#')[0]).href;

// Shows all records, or those of the query, unless the address says otherwise. Must run before the page reads it.
if (location.hash === '') {
  const query = data.query === '' ? '' : `q=${encodeURIComponent(data.query)}&`;
  history.replaceState(null, '', `#${query}start=all&live=off`);
}
globalThis.fetch = (url, { method = 'GET', body } = {}) =>
  jobs.respond(method, String(url).slice(base.length), typeof body === 'string' ? body : '');
