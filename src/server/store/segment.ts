import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';
import { RowBatch } from './row-batch.ts';
import type { StoredEvent } from './stored-event.ts';

/**
 * Neighboring events, ordered by time and then by arrival, in a list from `start` on.
 *
 * Readers keep `events` across turns of the event loop. So the list only grows at its end; any other change replaces
 * it.
 */
export class Segment {
  events = new EventList();
  /** The place of the first event. */
  start = 0;
  weight = 0;

  get length(): number {
    return this.events.length - this.start;
  }

  get firstTimestamp(): number {
    return this.events.timeAt(this.start);
  }

  get lastTimestamp(): number {
    return this.events.timeAt(this.events.length - 1);
  }

  /** Adds an event that is not older than the last one. @returns its size */
  push(batch: EventBatch, index: number): number {
    const weight = batch.weightAt(index);
    this.events.push(batch, index);
    this.weight += weight;
    return weight;
  }

  /** Inserts events, which are sorted, after those with the same time. @returns their size */
  insert(batch: EventBatch, indexes: readonly number[]): number {
    const weight = indexes.reduce((sum, index) => sum + batch.weightAt(index), 0);
    const before = this.events;
    const merged = new EventList();
    let place = this.start;
    for (const index of indexes) {
      const end = place === before.length ? place : before.placeFrom(batch.timestampAt(index) + 1, place);
      merged.append(before, place, end);
      merged.push(batch, index);
      place = end;
    }
    merged.append(before, place, before.length);
    this.weight += weight;
    this.events = merged;
    this.start = 0;
    return weight;
  }

  /** The same events as segments of this length. */
  split(length: number): Segment[] {
    const parts: Segment[] = [];
    for (let place = this.start; place < this.events.length; place += length) {
      parts.push(Segment.#of(this.events, place, Math.min(place + length, this.events.length)));
    }
    return parts;
  }

  /** Drops the first event. @returns its size */
  dropFirst(): number {
    const weight = this.events.weightAt(this.start++);
    this.weight -= weight;
    if (2 * this.start > this.events.length) this.#forgetDropped();
    return weight;
  }

  /** Copies the events of some batches, except those with the IDs to remove, to free these batches. */
  copyOut(batches: ReadonlySet<EventBatch>, removed?: ReadonlySet<string>): void {
    if (this.start > 0) this.#forgetDropped();
    const before = this.events;
    const places: number[] = [];
    for (let place = 0; place < before.length; place++) {
      if (batches.has(before.batchAt(place))) places.push(place);
    }
    if (places.length === 0) return;
    const copies: StoredEvent[] = [];
    const copied = new RowBatch(copies);
    this.events = new EventList();
    let next = 0;
    for (const place of places) {
      this.events.append(before, next, place);
      next = place + 1;
      const row = before.row(place);
      if (removed?.has(row['@id']!)) this.weight -= before.weightAt(place);
      // Strings of the original events are parts of the text of their request.
      else this.events.push(copied, copies.push(JSON.parse(JSON.stringify(row))) - 1);
    }
    this.events.append(before, next, before.length);
  }

  #forgetDropped(): void {
    this.events = Segment.#of(this.events, this.start, this.events.length).events;
    this.start = 0;
  }

  static #of(list: EventList, start: number, end: number): Segment {
    const segment = new Segment();
    segment.events.append(list, start, end);
    for (let place = start; place < end; place++) segment.weight += list.weightAt(place);
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
