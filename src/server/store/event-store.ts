import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import { type Dropped, OrderedSegments } from './ordered-segments.ts';

/** Number of events per segment, except in very small stores. */
const SEGMENT_EVENTS = 4096;
/** A store exceeds its limits by at most one segment, so it has at least this many. */
const SEGMENTS_AT_LEAST = 8;

/** A copy of the events that outlives the process. */
export interface StoredEvents {
  /** Reads the events of earlier processes. */
  replay(insert: (batch: EventBatch) => void): void;
  append(batch: EventBatch): void;
  /** Forgets events before a time, in epoch milliseconds. */
  dropBefore(timestamp: number): void;
  close(): void;
}

export interface EventStoreOptions {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly log?: StoredEvents | undefined;
}

/** A range of neighboring events, `end` exclusive. */
export interface EventRange {
  readonly events: EventList;
  readonly start: number;
  readonly end: number;
}

/** The events of a repository, ordered by time. Beyond the limits, the oldest segment is evicted. */
export class EventStore {
  readonly #segments: OrderedSegments;
  readonly #listeners = new Set<(batch: EventBatch) => void>();
  readonly #arriving = new Set<{ readonly since: number }>();
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #log: StoredEvents | undefined;
  #count = 0;
  #bytes = 0;
  #evicted = 0;
  #evictedUntil = Number.NEGATIVE_INFINITY;
  #version = 0;

  constructor({ maxEvents, maxBytes, log }: EventStoreOptions) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
    this.#segments = new OrderedSegments({
      segmentEvents: Math.max(1, Math.min(SEGMENT_EVENTS, Math.floor(maxEvents / SEGMENTS_AT_LEAST))),
      segmentBytes: maxBytes / SEGMENTS_AT_LEAST,
    });
    this.#log = log;
    log?.replay((batch) => this.#insert(batch));
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Number of evicted events. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Evicted events have times up to this one, epoch milliseconds. */
  get evictedUntil(): number {
    return this.#evictedUntil;
  }

  /** Increases with every append, so readers notice changes. */
  get version(): number {
    return this.#version;
  }

  get followers(): number {
    return this.#listeners.size;
  }

  /**
   * Stores events, all or none, in any order of time. When it returns, they are written to the disk, if there is one,
   * and every query finds them.
   */
  append(batch: EventBatch): void {
    if (batch.length === 0) return;
    this.#log?.append(batch);
    this.#insert(batch);
    for (const listener of this.#listeners) listener(batch);
  }

  /** Registers a request whose events get ingest times from `since` on. @returns a function to call when it is done */
  beginArrival(since: number): () => void {
    const request = { since };
    this.#arriving.add(request);
    return () => this.#arriving.delete(request);
  }

  /** All events with an ingest time up to the returned one are stored. */
  completeUntil(now: number): number {
    return Math.min(now, ...[...this.#arriving].map(({ since }) => since)) - 1;
  }

  /** Calls `listener` synchronously with every new batch. @returns a function that unsubscribes */
  onAppend(listener: (batch: EventBatch) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The events with times from `from` to `to`, inclusive, oldest first, as of now. */
  snapshot(from: number, to: number): EventRange[] {
    const ranges: EventRange[] = [];
    for (const segment of this.#segments.within(from, to)) {
      const { events } = segment;
      const start = events.placeFrom(from);
      const end = segment.lastTimestamp <= to ? events.length : events.placeFrom(to + 1);
      if (start < end) ranges.push({ events, start, end });
    }
    return ranges;
  }

  /** Drops events before `oldest`, epoch milliseconds, then the oldest segments until `maxBytes` is met. */
  retain(oldest: number, maxBytes: number): void {
    const before = this.#count;
    while ((this.#segments.firstTimestamp ?? oldest) < oldest)
      this.#discount(this.#segments.dropSome(oldest));
    while (this.#bytes > maxBytes && this.#segments.length > 1) this.#discount(this.#segments.dropFirst());
    if (this.#count === before) return;
    this.#version++;
    this.#log?.dropBefore(this.#segments.firstTimestamp ?? oldest);
  }

  close(): void {
    this.#log?.close();
  }

  #insert(batch: EventBatch): void {
    this.#version++;
    this.#segments.add(batch);
    this.#count += batch.length;
    for (let index = 0; index < batch.length; index++) this.#bytes += batch.weightAt(index);
    while (this.#isOver() && this.#segments.length > 1) {
      const dropped = this.#segments.dropFirst();
      this.#evicted += dropped.count;
      this.#discount(dropped);
      this.#evictedUntil = Math.max(this.#evictedUntil, this.#segments.firstTimestamp ?? 0);
    }
  }

  #isOver(): boolean {
    return this.#count > this.#maxEvents || this.#bytes > this.#maxBytes;
  }

  #discount({ count, weight }: Dropped): void {
    this.#count -= count;
    this.#bytes -= weight;
  }
}
