import type { Sink } from '../../engine/index.ts';
import type { EventReader } from '../search-domain.ts';
import type { EventRange } from '../store/event-store.ts';
import type { Interval, QueryWindow } from './query-request.ts';

const ARRIVAL = '@ingesttimestamp';

/** The events of a store whose event time is in the window; {@link arrivedWithin} checks their ingest time. */
export function eventsWithin(store: EventReader, window: QueryWindow): EventRange[] {
  const { start, end } = eventTimes(window);
  return store.snapshot(start, end);
}

/** Why a result lacks events of the window, if it does. */
export function evictionWarnings({ evictedUntil }: EventReader, { start }: Interval): readonly string[] {
  if (start > evictedUntil) return [];
  const time = new Date(evictedUntil).toISOString();
  return [
    `The result is incomplete: events up to ${time} did not fit in memory. Search a later interval. A local server keeps more with maxEvents and maxBytes, and "logclient query" reads whole files.`,
  ];
}

/** The event times of a window; all times if its interval is of ingest times. */
export function eventTimes({ start, end, useIngestTime }: QueryWindow): Interval {
  return useIngestTime ? { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY } : { start, end };
}

/** Skips the events that arrived outside of an interval. */
export function arrivedWithin(sink: Sink, interval: Interval | undefined): Sink {
  if (interval === undefined) return sink;
  const { start, end } = interval;
  return {
    from(events) {
      const take = sink.from(events);
      if (take === undefined) return undefined;
      const arrivals = events.column(ARRIVAL);
      return (index) => {
        const arrival = Number(arrivals.at(index));
        if (arrival >= start && arrival <= end) take(index);
      };
    },
  };
}
