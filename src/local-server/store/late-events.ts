import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';

export interface SortedEvents {
  readonly events: EventList;
  readonly order: readonly number[];
}

/** Events that came in after younger ones. They wait here, so that many of them are put in their places together. */
export class LateEvents {
  #events = new EventList();
  #firstTimestamp = Number.POSITIVE_INFINITY;
  #lastTimestamp = Number.NEGATIVE_INFINITY;

  get length(): number {
    return this.#events.length;
  }

  get firstTimestamp(): number {
    return this.#firstTimestamp;
  }

  get lastTimestamp(): number {
    return this.#lastTimestamp;
  }

  push(batch: EventBatch, index: number): void {
    const timestamp = batch.timestampAt(index);
    this.#events.push(batch, index);
    if (timestamp < this.#firstTimestamp) this.#firstTimestamp = timestamp;
    if (timestamp > this.#lastTimestamp) this.#lastTimestamp = timestamp;
  }

  /** Hands over all that wait, by time; those of equal time as they came in. */
  take(): SortedEvents {
    const events = this.#events;
    this.#events = new EventList();
    this.#firstTimestamp = Number.POSITIVE_INFINITY;
    this.#lastTimestamp = Number.NEGATIVE_INFINITY;
    return { events, order: orderOf(events) };
  }
}

/** The places of events by time; those of equal time stay as they are. */
function orderOf(events: EventList): readonly number[] {
  const times = new Float64Array(events.length);
  const order: number[] = [];
  for (let place = 0; place < times.length; place++) {
    times[place] = events.timeAt(place);
    order.push(place);
  }
  // What came in together is in order already, which the sort makes use of.
  return order.sort((left, right) => times[left]! - times[right]!);
}
