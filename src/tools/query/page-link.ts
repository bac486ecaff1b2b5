import { localServers } from '../../core/discovery/local-servers.ts';
import type { ConnectionSettings } from '../settings/connection-settings.ts';
import type { Interval } from './interval.ts';

/** Address that shows a query on the web page of a local server of this computer; `undefined` for other services. */
export function pageLink(
  { url, repository }: Pick<ConnectionSettings, 'url' | 'repository'>,
  queryString: string,
  interval: Interval,
): string | undefined {
  const { origin } = new URL(url.value);
  const server = localServers().find(({ url }) => url === origin);
  // A server that emulates Next-Gen SIEM has no page.
  if (server?.variables.LOGSCALE_TOKEN === undefined) return undefined;
  // The names are those of the page. Its token is in the browser already: links in a log must not have it.
  const state = new URLSearchParams({ repo: repository?.value ?? '', q: queryString, live: 'off' });
  state.set('start', String(interval.start ?? '24h'));
  if (interval.end !== undefined) state.set('end', String(interval.end));
  return `${origin}/#${state}`;
}
