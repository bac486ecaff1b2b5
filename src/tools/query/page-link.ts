import { localServers } from '../../core/discovery/local-servers.ts';
import type { Interval } from './time-flags.ts';

export interface LinkedQuery {
  readonly baseUrl: string;
  readonly repository: string;
  readonly queryString: string;
  readonly interval: Interval;
}

/** Address that shows a query on the web page of a local server of this computer; `undefined` for other services. */
export function pageLink({ baseUrl, repository, queryString, interval }: LinkedQuery): string | undefined {
  const origin = new URL(baseUrl).origin;
  const server = localServers().find(({ url }) => url === origin);
  // A server that emulates Next-Gen SIEM has no page.
  if (server?.variables.LOGSCALE_TOKEN === undefined) return undefined;
  // The names are those of the page. Its token is in the browser already: links in a log must not have it.
  const state = new URLSearchParams({ repo: repository, q: queryString, live: 'off' });
  state.set('start', String(interval.start ?? '24h'));
  if (interval.end !== undefined) state.set('end', String(interval.end));
  return `${origin}/#${state}`;
}
