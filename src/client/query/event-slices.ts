import { haveOwnIds, isNewestFirst, sortByTime, type TimeField, timeOf } from '../../core/event-order.ts';
import type { CallOptions } from '../../core/http/call-options.ts';
import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import { cannotPage, isPagingError } from './older-events.ts';
import type { StaticQueryJob } from './static-query-job.ts';

/** Maximum number of events to sort in memory. A slice of one millisecond may have more. */
const MAX_SLICE_EVENTS = 10_000;

/** An inclusive interval in epoch milliseconds. */
export interface TimeInterval {
  readonly from: number;
  readonly to: number;
}

/** The events of an interval, sorted by `@timestamp` and `@id`. */
export interface EventSlice<Row extends object> extends TimeInterval {
  readonly events: readonly Row[];
}

export interface EventSlicesOptions<Row extends object> extends TimeInterval {
  /** The time that the interval limits. */
  readonly field: TimeField;
  /** Creates a job for the events of an interval. */
  readonly createJob: (interval: TimeInterval) => Promise<StaticQueryJob<Row>>;
  readonly queryString: string;
  readonly call: CallOptions;
  /** Called for a millisecond with more than 200 rows that can't be paged. @default throws `LOG_CANNOT_PAGE` */
  readonly onTooMany?: (interval: TimeInterval) => void;
}

/**
 * Yields all events of an interval once, oldest slice first. A slice is as long as memory allows. A slice that can't be
 * paged (without `@id` or `@timestamp`) is as long as one result of the service allows.
 *
 * Only for queries that process each event independently: others would find different events in a part of the interval.
 */
export async function* eventSlices<Row extends object>(
  options: EventSlicesOptions<Row>,
): AsyncGenerator<EventSlice<Row>, void, undefined> {
  const reader = new SliceReader<Row>(options);
  let { from } = options;
  let lengthMs = options.to - from + 1;
  /** An interval up to this time has more events than a slice. */
  let denseUntil = Number.NEGATIVE_INFINITY;
  while (from <= options.to) {
    const to = Math.min(options.to, from + lengthMs - 1);
    const { events, isComplete } = await reader.read({ from, to });
    if (!isComplete) {
      lengthMs = reader.shorterMs({ from, to }, events);
      denseUntil = to;
      continue;
    }
    yield { from, to, events };
    from = to + 1;
    lengthMs *= reader.growth(events);
    if (from <= denseUntil) lengthMs = Math.min(lengthMs, Math.ceil((denseUntil - from + 1) / 2));
  }
}

interface ReadSlice<Row extends object> {
  /** Oldest first if the slice is complete, and if the service or their times can sort them. */
  readonly events: Row[];
  /** False if the interval has more events. */
  readonly isComplete: boolean;
}

class SliceReader<Row extends object> {
  readonly #options: EventSlicesOptions<Row>;
  #canPage = true;
  /** Whether rows have the time that the interval limits, as the service knows it. */
  #hasTime = true;

  constructor(options: EventSlicesOptions<Row>) {
    this.#options = options;
  }

  /** The factor by which the next slice is longer. */
  growth(events: readonly Row[]): number {
    if (events.length === 0) return 16;
    return events.length < (this.#canPage ? MAX_SLICE_EVENTS : PAGE_EVENTS) / 4 ? 2 : 1;
  }

  async read({ from, to }: TimeInterval): Promise<ReadSlice<Row>> {
    const { createJob, queryString, call, onTooMany } = this.#options;
    // It is not documented whether the end is inclusive. Events of one more millisecond are filtered out by their time.
    const job = await createJob({ from, to: this.#hasTime ? to + 1 : to });
    const events: Row[] = [];
    try {
      for await (const result of job.pollUntilDone(call)) {
        if (!result.events.every((event) => this.#isWithin(event, from, to + 1))) throw cannotPage();
        for (const event of result.events) if (this.#isWithin(event, from, to)) events.push(event);
        const isOrdered = this.#hasTime && isNewestFirst(result.events);
        this.#canPage = isOrdered && haveOwnIds(result.events, queryString);
        if (from < to && job.hasMore && (!this.#canPage || events.length > MAX_SLICE_EVENTS)) {
          return { events, isComplete: false };
        }
        if (!this.#canPage && job.hasMore) {
          if (onTooMany === undefined) throw cannotPage();
          onTooMany({ from, to });
          break;
        }
      }
    } catch (error) {
      // A query can remove the time, or write another one.
      if (!this.#hasTime || !isPagingError(error)) throw error;
      this.#hasTime = false;
      return this.read({ from, to });
    } finally {
      void job[Symbol.asyncDispose](call);
    }
    events.reverse();
    return { events: this.#hasTime ? sortByTime(events) : events, isComplete: true };
  }

  /** The length of the next attempt, from the share of the interval that the events covered. */
  shorterMs({ from, to }: TimeInterval, events: readonly Row[]): number {
    const lengthMs = to - from + 1;
    if (!this.#hasTime) return Math.ceil(lengthMs / 2);
    const oldest = events.reduce((time, event) => Math.min(time, timeOf(event, this.#options.field)), to);
    return Math.max(1, Math.floor(Math.min(lengthMs, to - oldest) / 2));
  }

  #isWithin(event: Row, from: number, to: number): boolean {
    if (!this.#hasTime) return true;
    const time = timeOf(event, this.#options.field);
    return time >= from && time <= to;
  }
}
