import { compileQuery, type EventSource, type Fields } from '../../query-engine/index.ts';
import type { SearchDomain, SearchDomains } from '../search-domains.ts';
import { hasArrivedWithin } from './arrival.ts';
import type { Interval } from './query-request.ts';
import { repositoryLibrary } from './repository-library.ts';

/**
 * The events that the sub-queries of a query read. A repository that is gone has none.
 *
 * @param useIngestTime whether the intervals of the sub-queries are of ingest times, as that of the query.
 */
export function domainEvents(
  own: SearchDomain,
  searchDomains: SearchDomains,
  useIngestTime: boolean,
): EventSource {
  return {
    *events({ repository: name, start, end }) {
      const domain = name === undefined ? own : searchDomains.get(name);
      if (domain === undefined) return;
      const events = useIngestTime ? eventsArrived(domain, { start, end }) : eventsOf(domain, start, end);
      if (domain.eventFilter === undefined) yield* events;
      else yield* passing(events, domain.eventFilter, { domain, searchDomains, start, end });
    },
  };
}

function* eventsOf({ store }: SearchDomain, from: number, to: number): Generator<Fields> {
  for (const { events, start, end } of store.snapshot(from, to)) {
    for (let index = start; index < end; index++) yield events.row(index);
  }
}

function* eventsArrived(domain: SearchDomain, interval: Interval): Generator<Fields> {
  for (const event of eventsOf(domain, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
    if (hasArrivedWithin(event, interval)) yield event;
  }
}

interface Sieve {
  readonly domain: SearchDomain;
  readonly searchDomains: SearchDomains;
  readonly start: number;
  readonly end: number;
}

function* passing(
  events: Iterable<Fields>,
  filter: string,
  { domain, searchDomains, start, end }: Sieve,
): Generator<Fields> {
  const plan = compileQuery(filter, { library: repositoryLibrary(domain, searchDomains) });
  const passed: Fields[] = [];
  const context = { start, end, now: end, timeZone: 'UTC' };
  const stream = plan.openStream(context, (event) => passed.push(event));
  for (const event of events) {
    stream.push(event);
    yield* passed.splice(0);
  }
}
