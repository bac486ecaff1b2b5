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

  /** Adds neighbouring events of a list wherever they belong: after those of equal time. */
  merge(late: EventList, start: number, end: number): void {
    const before = this.#events;
    const merged = new EventList();
    const copy = merged.copier(before);
    const copyLate = merged.copier(late);
    let next = start;
    for (let place = 0; place < before.length; place++) {
      const time = before.timeAt(place);
      while (next < end && late.timeAt(next) < time) copyLate(next++);
      copy(place);
    }
    for (; next < end; next++) copyLate(next);
    this.#events = merged;
    for (let place = start; place < end; place++) this.#weight += late.weightAt(place);
  }

  /** The same events as segments of so many. */
  split(length: number): Segment[] {
    const parts: Segment[] = [];
    for (let place = 0; place < this.#events.length; place += length) {
      parts.push(Segment.#of(this.#events, place, Math.min(place + length, this.#events.length)));
    }
    return parts;
  }

  /** Lets go of the events before `timestamp`, and says how many they were and what they weighed. */
  dropBefore(timestamp: number): { readonly count: number; readonly weight: number } {
    const before = this.#events;
    const count = this.placeFrom(timestamp);
    let weight = 0;
    for (let place = 0; place < count; place++) weight += before.weightAt(place);
    this.#events = Segment.#of(before, count, before.length).#events;
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

  static #of(list: EventList, start: number, end: number): Segment {
    const segment = new Segment();
    const copy = segment.#events.copier(list);
    for (let place = start; place < end; place++) {
      copy(place);
      segment.#weight += list.weightAt(place);
    }
    return segment;
  }
}
