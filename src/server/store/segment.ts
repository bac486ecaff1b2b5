import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';
import { RowBatch } from './row-batch.ts';

/**
 * Neighboring events, ordered by time and then by arrival.
 *
 * Readers keep `events` across turns of the event loop. So the list only grows at its end; any other change replaces
 * it.
 */
export class Segment {
  #events = new EventList();
  #weight = 0;

  get events(): EventList {
    return this.#events;
  }

  get length(): number {
    return this.#events.length;
  }

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

  /** Inserts events, which are sorted, after those with the same time. */
  insert(batch: EventBatch, indexes: readonly number[]): void {
    const before = this.#events;
    const merged = new EventList();
    let place = 0;
    for (const index of indexes) {
      const end = before.placeFrom(batch.timestampAt(index) + 1, place);
      merged.append(before, place, end);
      merged.push(batch, index);
      place = end;
    }
    merged.append(before, place, before.length);
    for (const index of indexes) this.#weight += batch.weightAt(index);
    this.#events = merged;
  }

  /** The same events as segments of this length. */
  split(length: number): Segment[] {
    const parts: Segment[] = [];
    for (let place = 0; place < this.#events.length; place += length) {
      parts.push(Segment.#of(this.#events, place, Math.min(place + length, this.#events.length)));
    }
    return parts;
  }

  /** Drops the events before `timestamp`. @returns their number and size */
  dropBefore(timestamp: number): { readonly count: number; readonly weight: number } {
    const before = this.#events;
    const count = before.placeFrom(timestamp);
    let weight = 0;
    for (let place = 0; place < count; place++) weight += before.weightAt(place);
    this.#events = Segment.#of(before, count, before.length).#events;
    this.#weight -= weight;
    return { count, weight };
  }

  /** Copies the events of some batches, to free these batches. */
  copyOut(batches: ReadonlySet<EventBatch>): void {
    const before = this.#events;
    const places: number[] = [];
    for (let place = 0; place < before.length; place++) {
      if (batches.has(before.batchAt(place))) places.push(place);
    }
    // Strings of the original events are parts of the text of their request.
    const copies = new RowBatch(places.map((place) => JSON.parse(JSON.stringify(before.row(place)))));
    if (copies.length === 0) return;
    this.#events = new EventList();
    let next = 0;
    for (const [index, place] of places.entries()) {
      this.#events.append(before, next, place);
      this.#events.push(copies, index);
      next = place + 1;
    }
    this.#events.append(before, next, before.length);
  }

  static #of(list: EventList, start: number, end: number): Segment {
    const segment = new Segment();
    segment.#events.append(list, start, end);
    for (let place = start; place < end; place++) segment.#weight += list.weightAt(place);
    return segment;
  }
}

/** The indices of events by time. The sort is stable. */
export function timeOrder(length: number, timeAt: (place: number) => number): readonly number[] {
  const order: number[] = [];
  const times = new Float64Array(length);
  let isInOrder = true;
  for (let place = 0; place < length; place++) {
    times[place] = timeAt(place);
    if (place > 0 && times[place]! < times[place - 1]!) isInOrder = false;
    order.push(place);
  }
  return isInOrder ? order : order.sort((left, right) => times[left]! - times[right]!);
}
