import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import type { EventLog } from './event-log.ts';
import { Segment } from './segment.ts';

/** How many events a segment holds when the store is not a very small one. */
const SEGMENT_EVENTS = 4096;
/** A store goes over its bounds by at most one segment in this many. */
const SEGMENTS_AT_LEAST = 8;

export interface EventStoreOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  /** Where events are kept beyond the life of the process. */
  readonly log?: EventLog | undefined;
}

/** Neighbouring events, in order: `events` from place `start` up to, not including, `end`. */
export interface Stretch {
  readonly events: EventList;
  readonly start: number;
  readonly end: number;
}

/** The events of a repository, ordered by time, bounded: when there are too many the oldest segment goes. */
export class EventStore {
  readonly #segments: Segment[] = [];
  readonly #listeners = new Set<(batch: EventBatch) => void>();
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #segmentEvents: number;
  readonly #log: EventLog | undefined;
  #count = 0;
  #bytes = 0;
  #evicted = 0;
  #version = 0;

  constructor({ maxEvents, maxBytes, log }: EventStoreOptions) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
    this.#segmentEvents = Math.max(1, Math.min(SEGMENT_EVENTS, Math.floor(maxEvents / SEGMENTS_AT_LEAST)));
    this.#log = log;
    log?.replay((batch) => this.#insert(batch));
  }

  /** How many events there are now. */
  get count(): number {
    return this.#count;
  }

  /** What they weigh. */
  get bytes(): number {
    return this.#bytes;
  }

  /** How many events had to make room for newer ones. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Grows with every append: a reader sees by it whether anything can have changed. */
  get version(): number {
    return this.#version;
  }

  /** How many listeners there are. */
  get followers(): number {
    return this.#listeners.size;
  }

  /**
   * Stores events, all or none, in any order of time. When it returns they are on their way to the disk (where there
   * is one) and every query finds them.
   */
  append(batch: EventBatch): void {
    if (batch.length === 0) return;
    this.#log?.append(batch);
    this.#insert(batch);
    for (const listener of this.#listeners) listener(batch);
  }

  /** Calls `listener` with every batch from now on, at once; the function returned ends that. */
  onAppend(listener: (batch: EventBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The events with a time from `from` up to and including `to`, oldest first, as they are at this moment. */
  snapshot(from: number, to: number): Stretch[] {
    const stretches: Stretch[] = [];
    for (const segment of this.#settled(from, to)) {
      const start = segment.placeFrom(from);
      const end = segment.lastTimestamp <= to ? segment.events.length : segment.placeFrom(to + 1);
      if (start < end) stretches.push({ events: segment.events, start, end });
    }
    return stretches;
  }

  /** Drops the events before `oldest`, epoch milliseconds, and then the oldest segments while there are more bytes. */
  retain(oldest: number, maxBytes: number): void {
    const before = this.#count;
    while ((this.#segments[0]?.firstTimestamp ?? oldest) < oldest) this.#dropSome(oldest);
    while (this.#bytes > maxBytes && this.#segments.length > 1) this.#dropFirst();
    if (this.#count === before) return;
    this.#version++;
    this.#log?.dropBefore(this.#segments[0]?.firstTimestamp ?? oldest);
  }

  /** Writes out what there is to write and gives the files back. */
  close(): void {
    this.#log?.close();
  }

  #insert(batch: EventBatch): void {
    this.#version++;
    this.#add(batch, timeOrder(batch));
    while (this.#isOver() && this.#segments.length > 1) {
      this.#evicted += this.#dropFirst();
    }
  }

  #isOver(): boolean {
    return this.#count > this.#maxEvents || this.#bytes > this.#maxBytes;
  }

  #add(batch: EventBatch, order: readonly number[]): void {
    // Nearly always nothing is late. What is late is older than the newest event, so that it comes first.
    const newest = this.#segments.at(-1)?.lastTimestamp ?? Number.NEGATIVE_INFINITY;
    let next = 0;
    while (next < order.length && batch.timestampAt(order[next]!) < newest) {
      next = this.#addLate(batch, order, { next, newest });
    }
    for (; next < order.length; next++) this.#lastWithRoom().push(batch, order[next]!);
    for (let index = 0; index < batch.length; index++) this.#account(1, batch.weightAt(index));
  }

  /** Adds those of the late events from `next` on that belong to one segment; returns where the next one is. */
  #addLate(
    batch: EventBatch,
    order: readonly number[],
    { next, newest }: { readonly next: number; readonly newest: number },
  ): number {
    const number = this.#segmentFor(batch.timestampAt(order[next]!));
    const segment = this.#segments[number]!;
    // The events are in order, and segments meet at `bound`: none of these belongs further right.
    const bound = this.#segments[number + 1]?.firstTimestamp ?? newest;
    let end = next;
    do segment.pushLate(batch, order[end++]!);
    while (end < order.length && batch.timestampAt(order[end]!) < bound);
    if (segment.waiting > 2 * this.#segmentEvents) this.#settle(number);
    return end;
  }

  /** The segments with events from `from` up to and including `to`, all of them in their places. */
  #settled(from: number, to: number): Segment[] {
    const isIn = (segment: Segment): boolean => segment.lastTimestamp >= from && segment.firstTimestamp <= to;
    for (let number = this.#segments.length - 1; number >= 0; number--) {
      if (this.#segments[number]!.waiting > 0 && isIn(this.#segments[number]!)) this.#settle(number);
    }
    return this.#segments.filter(isIn);
  }

  /** Puts the late events of a segment in their places: that makes it anew once, however many they are. */
  #settle(number: number): void {
    const segment = this.#segments[number]!;
    segment.settle();
    if (segment.length > 2 * this.#segmentEvents) {
      this.#segments.splice(number, 1, ...segment.split(this.#segmentEvents));
    }
  }

  /** The last segment that begins at or before `timestamp`, else the first one. */
  #segmentFor(timestamp: number): number {
    const after = this.#segments.findIndex((segment) => segment.firstTimestamp > timestamp);
    return after === -1 ? this.#segments.length - 1 : Math.max(0, after - 1);
  }

  #lastWithRoom(): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.length < this.#segmentEvents) {
      if (last.weight < this.#maxBytes / SEGMENTS_AT_LEAST) return last;
    }
    const segment = new Segment();
    this.#segments.push(segment);
    return segment;
  }

  /** Takes a step towards a store without events before `oldest`. */
  #dropSome(oldest: number): void {
    const first = this.#segments[0]!;
    if (first.lastTimestamp < oldest) this.#dropFirst();
    else if (first.waiting > 0) this.#settle(0);
    else {
      const { count, weight } = first.dropBefore(oldest);
      this.#account(-count, -weight);
    }
  }

  /** @returns how many events the segment had. */
  #dropFirst(): number {
    // With those that wait, it may be a large one: no more shall go than have to.
    this.#settle(0);
    const { length, weight } = this.#segments.shift()!;
    this.#account(-length, -weight);
    return length;
  }

  #account(count: number, bytes: number): void {
    this.#count += count;
    this.#bytes += bytes;
  }
}

/** The indices of the events by time; those of equal time stay as they arrived. */
function timeOrder(batch: EventBatch): readonly number[] {
  const order: number[] = [];
  let isInOrder = true;
  let latest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < batch.length; index++) {
    const timestamp = batch.timestampAt(index);
    if (timestamp < latest) isInOrder = false;
    latest = timestamp;
    order.push(index);
  }
  return isInOrder ? order : order.sort((left, right) => batch.timestampAt(left) - batch.timestampAt(right));
}
