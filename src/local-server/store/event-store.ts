import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import type { EventLog } from './event-log.ts';
import { LateEvents } from './late-events.ts';
import { Segment } from './segment.ts';

/** How many events a segment holds when the store is not a very small one. */
const SEGMENT_EVENTS = 4096;
/** How many events wait for their place, in segments. */
const MAX_LATE_SEGMENTS = 4;
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
  readonly #late = new LateEvents();
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
    this.#settle();
    const stretches: Stretch[] = [];
    for (const segment of this.#segments) {
      if (segment.lastTimestamp < from || segment.firstTimestamp > to) continue;
      const start = segment.placeFrom(from);
      const end = segment.lastTimestamp <= to ? segment.events.length : segment.placeFrom(to + 1);
      if (start < end) stretches.push({ events: segment.events, start, end });
    }
    return stretches;
  }

  /** Drops the events before `oldest`, epoch milliseconds, and then the oldest segments while there are more bytes. */
  retain(oldest: number, maxBytes: number): void {
    this.#settle();
    const before = this.#count;
    while (this.#segments.length > 0 && this.#segments[0]!.lastTimestamp < oldest) this.#dropFirst();
    const [first] = this.#segments;
    if (first !== undefined && first.firstTimestamp < oldest) {
      const { count, weight } = first.dropBefore(oldest);
      this.#account(-count, -weight);
    }
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
    if (this.#isOver() || this.#late.length > MAX_LATE_SEGMENTS * this.#segmentEvents) this.#settle();
    while (this.#isOver() && this.#segments.length > 1) this.#dropOldest();
  }

  #isOver(): boolean {
    return this.#count > this.#maxEvents || this.#bytes > this.#maxBytes;
  }

  #add(batch: EventBatch, order: readonly number[]): void {
    // Nearly always nothing is late. What is late is older than the newest event, so that it comes first.
    const newest = this.#segments.at(-1)?.lastTimestamp ?? Number.NEGATIVE_INFINITY;
    for (const index of order) {
      if (batch.timestampAt(index) < newest) this.#late.push(batch, index);
      else this.#lastWithRoom().push(batch, index);
      this.#account(1, batch.weightAt(index));
    }
  }

  /** Puts the late events where they belong: each segment that gets some is made anew once, however many they are. */
  #settle(): void {
    if (this.#late.length === 0) return;
    const late = this.#late.take();
    for (let next = 0; next < late.length; ) next = this.#mergeSome(late, next);
  }

  /** Merges those of the events from `first` on that belong to one segment; returns where the next one is. */
  #mergeSome(late: EventList, first: number): number {
    const number = this.#segmentFor(late.timeAt(first));
    const segment = this.#segments[number]!;
    const bound = this.#segments[number + 1]?.firstTimestamp ?? Number.POSITIVE_INFINITY;
    let next = first + 1;
    // The events are in order, and segments meet at `bound`: none of these belongs further right.
    while (next < late.length && late.timeAt(next) < bound) next++;
    segment.merge(late, first, next);
    if (segment.events.length > 2 * this.#segmentEvents) {
      this.#segments.splice(number, 1, ...segment.split(this.#segmentEvents));
    }
    return next;
  }

  /** The last segment that begins at or before `timestamp`, else the first one. */
  #segmentFor(timestamp: number): number {
    const after = this.#segments.findIndex((segment) => segment.firstTimestamp > timestamp);
    return after === -1 ? this.#segments.length - 1 : Math.max(0, after - 1);
  }

  #lastWithRoom(): Segment {
    const last = this.#segments.at(-1);
    if (last !== undefined && last.events.length < this.#segmentEvents) {
      if (last.weight < this.#maxBytes / SEGMENTS_AT_LEAST) return last;
    }
    const segment = new Segment();
    this.#segments.push(segment);
    return segment;
  }

  #dropOldest(): void {
    this.#evicted += this.#dropFirst();
  }

  /** @returns how many events the segment had. */
  #dropFirst(): number {
    const { events, weight } = this.#segments.shift()!;
    this.#account(-events.length, -weight);
    return events.length;
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
