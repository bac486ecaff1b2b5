import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';

/** Events that came in after younger ones. They wait here, so that many of them are put in their places together. */
export class LateEvents {
  #events = new EventList();
  #times: number[] = [];

  get length(): number {
    return this.#times.length;
  }

  push(batch: EventBatch, index: number): void {
    this.#events.push(batch, index);
    this.#times.push(batch.timestampAt(index));
  }

  /** Hands over all that wait, by time; those of equal time as they came in. */
  take(): EventList {
    const events = this.#events;
    const times = this.#times;
    this.#events = new EventList();
    this.#times = [];
    // What came in together is in order already, which the sort makes use of.
    const order = Array.from(times.keys()).sort((left, right) => times[left]! - times[right]!);
    const sorted = new EventList();
    const add = sorted.copier(events);
    for (const place of order) add(place);
    return sorted;
  }
}
