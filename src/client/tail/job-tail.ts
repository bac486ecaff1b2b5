import { hasPlace, sortByTime, timeOf } from '../../core/event-order.ts';
import { callOptionsOf } from '../../core/http/call-options.ts';
import { type EventSlice, eventSlices, type TimeInterval } from '../query/event-slices.ts';
import type { PollResult } from '../query/poll-result.ts';
import type { QueryOptions } from '../query/query-options.ts';
import { completeUntil } from './complete-until.ts';
import { toRelativeStart } from './relative-time.ts';
import type { TailedQuery, TailProgress } from './tail-progress.ts';

/** A live job shows the events that arrived within this time, which is longer than any pause between two polls. */
const LIVE_WINDOW_MS = 30_000;

/** Maximum difference between the time of an event and its arrival. */
const MAX_DISTANCE_MS = 24 * 60 * 60_000;

/** Thrown for a query with an aggregate function. */
export class AggregateRowsError extends Error {}

/**
 * A tail that runs on query jobs, by arrival time: events can be late by their own time, but never arrive in the past.
 *
 * A live job shows the newest 200 events of the last 30 s. If these are all, those not seen before are new. If there
 * are more, a static query fetches everything that arrived after the last time that is complete. This time survives
 * lost jobs and slow consumers: the next static query always starts there.
 *
 * Yields events that arrived within the last seconds again; the caller recognizes them by their ID.
 */
export class JobTail<Row extends object> {
  readonly #options: TailedQuery;
  /** Events that arrived later are new. */
  #origin: number | undefined;
  /** All events that arrived between `#origin` and this time were yielded. */
  #completeUntil: number;
  /** The rest of the time before the start of the tail, and the `ingestEnd` of its events. */
  #past: (TimeInterval & { readonly ingestEnd: number }) | undefined;

  /** @param options whose query has no `start` */
  constructor(options: TailedQuery) {
    this.#options = options;
    this.#origin = options.progress.completeUntil;
    this.#completeUntil = this.#origin ?? Number.NEGATIVE_INFINITY;
  }

  /**
   * Yields events until the job is lost. The next call continues after the last event.
   *
   * @throws AggregateRowsError for a query with an aggregate function
   */
  async *connect(): AsyncGenerator<readonly Row[], void, undefined> {
    const { source, queryString, query, progress } = this.#options;
    const job = await source.createQueryJob<Row>(queryString, {
      ...query,
      start: toRelativeStart(MAX_DISTANCE_MS),
      useIngestTime: true,
      ingestStart: toRelativeStart(LIVE_WINDOW_MS),
      isLive: true,
    });
    progress.markAlive();
    try {
      for (;;) {
        const result = await job.poll(callOptionsOf('tail', query));
        if (result.metadata.isAggregate) throw new AggregateRowsError();
        yield* this.#newEvents(result);
      }
    } finally {
      void job[Symbol.asyncDispose](callOptionsOf('tail', query));
    }
  }

  async *#newEvents(result: PollResult<Row>): AsyncGenerator<readonly Row[], void, undefined> {
    const { events, metadata } = result;
    const arrived = completeUntil(metadata);
    if (this.#origin === undefined) {
      this.#origin = this.#completeUntil = arrived;
      // Clocks of producers may be ahead.
      this.#past = {
        from: Math.max(0, metadata.queryEnd - this.#options.progress.startMs),
        to: metadata.queryEnd + MAX_DISTANCE_MS,
        // It is not documented whether the end is inclusive. Events of one more millisecond are filtered out by their
        // time.
        ingestEnd: events.length > 0 && events.every(hasArrivalTime) ? arrived + 1 : arrived,
      };
    }
    const origin = this.#origin;
    yield* this.#pastEvents(origin);
    if (isWhole(result, this.#completeUntil, this.#options.progress)) {
      // Sorting is stable, so events that arrived together must be oldest first.
      const recent = events.filter((event) => timeOf(event, '@ingesttimestamp') > origin).reverse();
      yield sortByTime(recent, '@ingesttimestamp');
      this.#completeUntil = Math.max(this.#completeUntil, arrived);
    } else {
      yield* this.#arrivals({ from: this.#completeUntil + 1, to: arrived });
    }
  }

  /** The events before the start of the tail, by their own time. Later arrivals are fetched afterward. */
  async *#pastEvents(origin: number): AsyncGenerator<readonly Row[], void, undefined> {
    if (this.#past === undefined) return;
    const { ingestEnd } = this.#past;
    const rangeOf = ({ from, to }: TimeInterval): QueryOptions => ({ start: from, end: to, ingestEnd });
    const slices = this.#slices('@timestamp', this.#past, rangeOf);
    for await (const { events, to } of slices) {
      yield events.filter((event) => !(timeOf(event, '@ingesttimestamp') > origin));
      this.#past = { ...this.#past, from: to + 1 };
    }
    this.#past = undefined;
  }

  async *#arrivals(interval: TimeInterval): AsyncGenerator<readonly Row[], void, undefined> {
    const slices = this.#slices('@ingesttimestamp', interval, ({ from, to }) => ({
      start: Math.max(0, from - MAX_DISTANCE_MS),
      end: to + MAX_DISTANCE_MS,
      useIngestTime: true,
      ingestStart: from,
      ingestEnd: to,
    }));
    for await (const { events, to } of slices) {
      yield events;
      this.#completeUntil = to;
    }
  }

  #slices(
    field: '@timestamp' | '@ingesttimestamp',
    interval: TimeInterval,
    intervalOptions: (interval: TimeInterval) => QueryOptions,
  ): AsyncGenerator<EventSlice<Row>, void, undefined> {
    const { source, queryString, query, progress } = this.#options;
    return eventSlices<Row>({
      ...interval,
      field,
      createJob: (part) =>
        source.createQueryJob<Row>(queryString, { ...query, ...intervalOptions(part), isLive: false }),
      queryString,
      call: callOptionsOf('tail', query),
      onTooMany: (part) => progress.onSkip({ ...part, reason: 'resultLimit' }),
    });
  }
}

/** Whether a result contains everything that arrived after a time, and in which order. */
function isWhole({ events, metadata }: PollResult<object>, since: number, { idOf }: TailProgress): boolean {
  if (metadata.extraData?.hasMoreEvents === 'true' || metadata.queryEnd - LIVE_WINDOW_MS > since)
    return false;
  return events.every((event) => idOf(event) !== undefined && hasPlace(event) && hasArrivalTime(event));
}

function hasArrivalTime(event: object): boolean {
  return !Number.isNaN(timeOf(event, '@ingesttimestamp'));
}
