import { type StoredEvent, timestampOf, weightOf } from './stored-event.ts';

/**
 * A run of neighbouring events, ordered by time and, where that is equal, by arrival.
 *
 * Readers hold on to `events` across turns of the event loop. Therefore the array only ever grows at its end; any
 * other change puts a new array in its place.
 */
export class Segment {
  #events: StoredEvent[];
  #weight: number;

  constructor(events: StoredEvent[] = [], weight = 0) {
    this.#events = events;
    this.#weight = weight;
  }

  get events(): readonly StoredEvent[] {
    return this.#events;
  }

  /** The bytes of the events. */
  get weight(): number {
    return this.#weight;
  }

  get firstTimestamp(): number {
    return timestampOf(this.#events[0]!);
  }

  get lastTimestamp(): number {
    return timestampOf(this.#events.at(-1)!);
  }

  /** Adds an event that is not older than the last one. */
  push(event: StoredEvent, weight: number): void {
    this.#events.push(event);
    this.#weight += weight;
  }

  /** Adds events, themselves in order, wherever they belong; after those of equal time. */
  merge(late: readonly StoredEvent[], weight: number): void {
    const merged: StoredEvent[] = [];
    let next = 0;
    for (const event of this.#events) {
      while (next < late.length && timestampOf(late[next]!) < timestampOf(event)) merged.push(late[next++]!);
      merged.push(event);
    }
    for (; next < late.length; next++) merged.push(late[next]!);
    this.#events = merged;
    this.#weight += weight;
  }

  /** Lets go of the events before `timestamp`, and says how many they were and what they weighed. */
  dropBefore(timestamp: number): { readonly count: number; readonly weight: number } {
    const count = this.indexFrom(timestamp);
    const weight = this.#events.slice(0, count).reduce((sum, event) => sum + weightOf(event), 0);
    this.#events = this.#events.slice(count);
    this.#weight -= weight;
    return { count, weight };
  }

  /** The index of the first event at or after `timestamp`. */
  indexFrom(timestamp: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (timestampOf(this.#events[middle]!) < timestamp) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
