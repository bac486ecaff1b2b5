import { LogException } from '../errors.ts';
import type { QueryAround, QueryInput, QueryMetadata } from '../wire/query.ts';
import { idOf, timeOf } from './event-order.ts';
import type { PollResult } from './poll-result.ts';

/** As many as the service keeps of a filter query's events. */
const PAGE_SIZE = 200;

/**
 * Walks back through the events of a query, page by page. The service keeps only the newest events of a result and no
 * cursor, so each further page is a query for the events before the oldest one that is known.
 */
export class OlderEvents {
  readonly #input: QueryInput;
  /** The oldest instant that was seen. Everything after it has been seen. */
  #oldestTimestamp = Number.POSITIVE_INFINITY;
  #oldestId = '';
  /** The events of that instant: all that can come again. */
  #idsAtOldest = new Set<string>();

  private constructor(input: QueryInput) {
    this.#input = input;
  }

  /**
   * The events before those of the first page.
   *
   * @throws LogException with the code `LOG_CANNOT_PAGE` if they have no place in time
   */
  static than({ events, metadata }: PollResult<object>, input: QueryInput): OlderEvents {
    // What the service made of the interval is absolute; a relative one would move on during the walk.
    const { queryStart = input.start, queryEnd = input.end } = metadata as Partial<QueryMetadata>;
    const older = new OlderEvents({
      ...input,
      ...(queryStart === undefined ? {} : { start: queryStart }),
      ...(queryEnd === undefined ? {} : { end: queryEnd }),
    });
    older.take(events);
    return older;
  }

  /** The query for the page before what was seen. */
  get nextInput(): QueryInput {
    const around: QueryAround = {
      eventId: this.#oldestId,
      timestamp: this.#oldestTimestamp,
      numberOfEventsBefore: PAGE_SIZE,
      numberOfEventsAfter: 0,
    };
    return { ...this.#input, around };
  }

  /** Those of a page's events that were not seen before. */
  take<Row extends object>(events: readonly Row[]): Row[] {
    const oldestBefore = this.#oldestTimestamp;
    const idsBefore = new Set(this.#idsAtOldest);
    return events.filter((event) => {
      const { id, timestamp } = place(event);
      if (timestamp > oldestBefore || idsBefore.has(id)) return false;
      idsBefore.add(id);
      this.#remember(id, timestamp);
      return true;
    });
  }

  #remember(id: string, timestamp: number): void {
    if (timestamp > this.#oldestTimestamp) return;
    if (timestamp < this.#oldestTimestamp) this.#idsAtOldest = new Set();
    this.#idsAtOldest.add(id);
    this.#oldestTimestamp = timestamp;
    this.#oldestId = id;
  }
}

function place(event: object): { id: string; timestamp: number } {
  const [id, timestamp] = [idOf(event), timeOf(event)];
  if (id !== undefined && Number.isFinite(timestamp)) return { id, timestamp };
  throw cannotPage();
}

export function cannotPage(): LogException {
  return new LogException(
    `The query has more than ${PAGE_SIZE} results, and paging needs the @id and @timestamp of every event. Keep these two fields, use streamingQuery(), or add tail() or head() with a limit.`,
    'LOG_CANNOT_PAGE',
  );
}
