import type { EventBatch } from './event-batch.ts';
import { EventList } from './event-list.ts';
import { RowBatch } from './row-batch.ts';
import { copiedEvent } from './stored-event.ts';

/**
 * Neighboring events, ordered by time and then by arrival.
 *
 * Readers keep `events` across turns of the event loop. So the list only grows at its end; any other change replaces
 * it.
 */
export class Segment {
  #events: EventList;
  /** Late events, to be merged together. */
  #late = new EventList();
  #lateFirst = Number.POSITIVE_INFINITY;
  #lateLast = Number.NEGATIVE_INFINITY;
  #weight = 0;

  constructor(room = 0) {
    this.#events = new EventList(room);
  }

  /** The events in order, without late ones unless {@link settle} was called. */
  get events(): EventList {
    return this.#events;
  }

  /** Number of events, including late ones. */
  get length(): number {
    return this.#events.length + this.#late.length;
  }

  get waiting(): number {
    return this.#late.length;
  }

  get weight(): number {
    return this.#weight;
  }

  get firstTimestamp(): number {
    return Math.min(this.#events.timeAt(0), this.#lateFirst);
  }

  get lastTimestamp(): number {
    return Math.max(this.#events.timeAt(this.#events.length - 1), this.#lateLast);
  }

  /** Adds an event that is not older than the last one. */
  push(batch: EventBatch, index: number): void {
    this.#events.push(batch, index);
    this.#weight += batch.weightAt(index);
  }

  /** Adds a late event, after those with the same time. */
  pushLate(batch: EventBatch, index: number): void {
    const timestamp = batch.timestampAt(index);
    this.#late.push(batch, index);
    this.#lateFirst = Math.min(this.#lateFirst, timestamp);
    this.#lateLast = Math.max(this.#lateLast, timestamp);
    this.#weight += batch.weightAt(index);
  }

  settle(): void {
    const [before, late] = [this.#events, this.#late];
    if (late.length === 0) return;
    this.#late = new EventList();
    this.#lateFirst = Number.POSITIVE_INFINITY;
    this.#lateLast = Number.NEGATIVE_INFINITY;
    const order = timeOrder(late.length, (place) => late.timeAt(place));
    const merged = new EventList(before.length + late.length);
    const copy = merged.copier(before);
    const copyLate = merged.copier(late);
    let next = 0;
    for (let place = 0; place < before.length; place++) {
      const time = before.timeAt(place);
      while (next < order.length && late.timeAt(order[next]!) < time) copyLate(order[next++]!);
      copy(place);
    }
    for (; next < order.length; next++) copyLate(order[next]!);
    this.#events = merged;
  }

  /** Splits the segment, including late events, into segments of this length. */
  split(length: number): Segment[] {
    const parts: Segment[] = [];
    for (let place = 0; place < this.#events.length; place += length) {
      parts.push(Segment.#of(this.#events, place, Math.min(place + length, this.#events.length)));
    }
    return parts;
  }

  /** Drops the events before `timestamp`; returns their number and size. Needs {@link settle} first. */
  dropBefore(timestamp: number): { readonly count: number; readonly weight: number } {
    const before = this.#events;
    const count = this.placeFrom(timestamp);
    let weight = 0;
    for (let place = 0; place < count; place++) weight += before.weightAt(place);
    this.#events = Segment.#of(before, count, before.length).#events;
    this.#weight -= weight;
    return { count, weight };
  }

  /** Copies the events of some batches, to free these batches. Needs {@link settle} first. @returns the copies */
  copyOut(batches: ReadonlySet<EventBatch>): EventBatch {
    const before = this.#events;
    const places: number[] = [];
    for (let place = 0; place < before.length; place++) {
      if (batches.has(before.batchAt(place))) places.push(place);
    }
    const copies = new RowBatch(places.map((place) => copiedEvent(before.row(place))));
    if (copies.length === 0) return copies;
    this.#events = new EventList(before.length);
    const copy = this.#events.copier(before);
    let next = 0;
    for (let place = 0; place < before.length; place++) {
      if (place === places[next]) this.#events.push(copies, next++);
      else copy(place);
    }
    return copies;
  }

  /** Index of the first event at or after `timestamp`, ignoring late events. */
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
    const segment = new Segment(end - start);
    const copy = segment.#events.copier(list);
    for (let place = start; place < end; place++) {
      copy(place);
      segment.#weight += list.weightAt(place);
    }
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
