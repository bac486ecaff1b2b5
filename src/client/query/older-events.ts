import { LogException } from '../../core/errors.ts';
import { hasPlace, idOf, mayWriteId, timeOf } from '../../core/event-order.ts';
import type { QueryAround, QueryInput, QueryMetadata } from '../../core/wire/query.ts';
import { PAGE_EVENTS } from '../../core/wire/query-results.ts';
import type { PollResult } from './poll-result.ts';

const NO_PLACE = `The query has more than ${PAGE_EVENTS} results, and paging needs the @id and @timestamp of every event. Keep these two fields as they are, use query() or streamingQuery(), or add tail() or head() with a limit.`;
const UNKNOWN_QUERY = `The query has more than ${PAGE_EVENTS} results, but the service does not report its text, or not the values of its parameters. Use createQueryJob() instead of queryJob().`;

/**
 * Pages back through the events of a query. The service only keeps the newest events of a result, without a cursor. So
 * each page is a query for the events before the oldest known one.
 */
export class OlderEvents {
  readonly #input: QueryInput;
  /** The oldest known time. All later events are known. */
  #oldestTimestamp = Number.POSITIVE_INFINITY;
  #oldestId = '';
  /** Events with that time, which the next page can repeat. */
  #idsAtOldest = new Set<string>();

  private constructor(input: QueryInput) {
    this.#input = input;
  }

  /**
   * The events before those of the first page.
   *
   * @throws LogException with the code `LOG_CANNOT_PAGE` if they may lack an ID or time, or if the query is unknown
   */
  static than({ events, metadata }: PollResult<object>, input: QueryInput | undefined): OlderEvents {
    if (input === undefined) throw cannotPage(UNKNOWN_QUERY);
    const older = new OlderEvents(inInterval(input, metadata));
    const distinct = older.#unknown(events);
    if (mayWriteId(input.queryString) || distinct.length < events.length) throw cannotPage();
    older.remember(distinct);
    return older;
  }

  /** The query for the next older page. */
  get nextInput(): QueryInput {
    const around: QueryAround = {
      eventId: this.#oldestId,
      timestamp: this.#oldestTimestamp,
      numberOfEventsBefore: PAGE_EVENTS,
      numberOfEventsAfter: 0,
    };
    return { ...this.#input, around };
  }

  /**
   * The events of a page that are not known yet. To continue after them, {@link remember} them.
   *
   * @throws LogException with the code `LOG_CANNOT_PAGE` if the page is not the one next to the oldest known event: the
   * query may write the times
   */
  unseen<Row extends object>(events: readonly Row[]): Row[] {
    const [oldest, id] = [this.#oldestTimestamp, this.#oldestId];
    const unseen = this.#unknown(events);
    const isRepeated = unseen.length === 0 && events.some((event) => timeOf(event) > oldest);
    if (isRepeated || !events.some((event) => idOf(event) === id)) throw cannotPage();
    return unseen;
  }

  #unknown<Row extends object>(events: readonly Row[]): Row[] {
    if (!events.every(hasPlace)) throw cannotPage();
    const ids = new Set(this.#idsAtOldest);
    return events.filter((event) => {
      const id = idOf(event)!;
      if (timeOf(event) > this.#oldestTimestamp || ids.has(id)) return false;
      ids.add(id);
      return true;
    });
  }

  /** Continues before these events. */
  remember(events: readonly object[]): void {
    for (const event of events) {
      const [id, timestamp] = [idOf(event)!, timeOf(event)];
      if (timestamp > this.#oldestTimestamp) continue;
      if (timestamp < this.#oldestTimestamp) this.#idsAtOldest = new Set();
      this.#idsAtOldest.add(id);
      this.#oldestTimestamp = timestamp;
      this.#oldestId = id;
    }
  }
}

/** A query in the absolute interval that the service reports: a relative one would move, and later events shift the result. */
export function inInterval(input: QueryInput, metadata: Partial<QueryMetadata>): QueryInput {
  const { queryStart: start = input.start, queryEnd: end = input.end } = metadata;
  return { ...input, ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) };
}

export function cannotPage(message = NO_PLACE): LogException {
  return new LogException(message, 'LOG_CANNOT_PAGE');
}

/** Whether the pages of a query can't be requested. */
export function isPagingError(error: unknown): boolean {
  return error instanceof LogException && error.code === 'LOG_CANNOT_PAGE';
}
