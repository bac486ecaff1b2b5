import { compileQuery, type EventSource } from '../../engine/index.ts';
import type { SearchDomain } from '../search-domain.ts';
import type { SearchDomains } from '../search-domains.ts';
import { arrivedWithin, eventsWithin } from './arrival.ts';
import { scanTables } from './query-slices.ts';
import { repositoryLibrary } from './repository-library.ts';

/**
 * The events that subqueries read. A deleted repository has none.
 *
 * @param useIngestTime whether the intervals of the subqueries are of ingest times, like that of the query.
 */
export function domainEvents(
  own: SearchDomain,
  searchDomains: SearchDomains,
  useIngestTime: boolean,
): EventSource {
  return {
    *read({ repository: name, start, end }, sink) {
      const domain = name === undefined ? own : searchDomains.get(name);
      if (domain === undefined) return;
      const { eventFilter, store } = domain;
      const options = { library: repositoryLibrary(domain, searchDomains) };
      const context = { start, end, now: end, timeZone: 'UTC' };
      const input =
        eventFilter === undefined ? sink : compileQuery(eventFilter, options).openStream(context, sink);
      const arrival = useIngestTime ? { start, end } : undefined;
      const ranges = eventsWithin(store, { start, end, useIngestTime, arrival });
      for (const _ of scanTables(ranges, arrivedWithin(input, arrival))) yield;
    },
  };
}
