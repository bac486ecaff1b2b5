import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';

/**
 * A run of neighbouring events, ordered by time and, where that is equal, by arrival.
 *
 * Readers hold on to `events` across turns of the event loop. Therefore the list only ever grows at its end; any other
 * change puts a new list in its place.
 */
export class Segment {
  #events = new EventList();
  #weight = 0;

  get events(): EventList {
    return this.#events;
  }

  /** The bytes of the events. */
  get weight(): number {
    return this.#weight;
  }

  get firstTimestamp(): number {
    return this.#events.timeAt(0);
  }

  get lastTimestamp(): number {
    return this.#events.timeAt(this.#events.length - 1);
  }

  /** Adds an event that is not older than the last one. */
  push(batch: EventBatch, index: number): void {
    this.#events.push(batch, index);
    this.#weight += batch.weightAt(index);
  }

  /**
   * Adds events of a batch, themselves in order, wherever they belong; after those of equal time.
   *
   * @returns what they weigh.
   */
  merge(batch: EventBatch, late: readonly number[]): number {
    const before = this.#events;
    const merged = new EventList();
    let next = 0;
    for (let place = 0; place < before.length; place++) {
      const time = before.timeAt(place);
      while (next < late.length && batch.timestampAt(late[next]!) < time) merged.push(batch, late[next++]!);
      merged.pushFrom(before, place);
    }
    for (; next < late.length; next++) merged.push(batch, late[next]!);
    const weight = late.reduce((sum, index) => sum + batch.weightAt(index), 0);
    this.#events = merged;
    this.#weight += weight;
    return weight;
  }

  /** The same events as segments of so many. */
  split(length: number): Segment[] {
    const parts: Segment[] = [];
    for (let place = 0; place < this.#events.length; place++) {
      if (place % length === 0) parts.push(new Segment());
      parts.at(-1)!.#pushFrom(this.#events, place);
    }
    return parts;
  }

  /** Lets go of the events before `timestamp`, and says how many they were and what they weighed. */
  dropBefore(timestamp: number): { readonly count: number; readonly weight: number } {
    const before = this.#events;
    const count = this.placeFrom(timestamp);
    let weight = 0;
    for (let place = 0; place < count; place++) weight += before.weightAt(place);
    this.#events = new EventList();
    for (let place = count; place < before.length; place++) this.#events.pushFrom(before, place);
    this.#weight -= weight;
    return { count, weight };
  }

  /** The place of the first event at or after `timestamp`. */
  placeFrom(timestamp: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#events.timeAt(middle) < timestamp) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #pushFrom(list: EventList, place: number): void {
    this.#events.pushFrom(list, place);
    this.#weight += list.weightAt(place);
  }
}
