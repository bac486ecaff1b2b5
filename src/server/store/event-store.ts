import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import { OrderedSegments } from './ordered-segments.ts';
import { RowBatch } from './row-batch.ts';

/** Number of events per segment, except in very small stores. */
const SEGMENT_EVENTS = 4096;
/** Dropped events leave the memory with the rest of their segment, so a store has at least this many. */
const SEGMENTS_AT_LEAST = 8;

/** A copy of the events that outlives the process. */
export interface StoredEvents {
  /** Reads the events of earlier processes. */
  replay(insert: (batch: EventBatch) => void): void;
  append(batch: EventBatch): void;
  /**
   * Learns that the store has no events before a time, epoch milliseconds.
   *
   * @param kept returns those that it has
   */
  dropBefore(timestamp: number, kept: () => Iterable<EventBatch>): void;
  /** Replaces all events. @throws DiskError if that fails; then none is replaced. */
  replaceAll(events: Iterable<EventBatch>): void;
  /** Releases its resources until the next append. */
  rest(): void;
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

/**
 * The events of a repository, ordered by time. It keeps the newest ones that fit its limits, whenever they arrive: the oldest
 * are evicted, and what is older than an evicted event is not stored.
 */
export class EventStore extends OrderedSegments {
  readonly #listeners = new Set<(batch: EventBatch) => void>();
  readonly #arriving = new Set<{ readonly since: number }>();
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  readonly #log: StoredEvents | undefined;
  /** Number of events evicted by this process. */
  evicted = 0;
  /** Time of the newest evicted event, epoch milliseconds. */
  evictedUntil = Number.NEGATIVE_INFINITY;
  /** Increases with every append, so readers notice changes. */
  version = 0;
  /** Increases when events other than the oldest are deleted. */
  removals = 0;

  constructor({ maxEvents, maxBytes, log }: EventStoreOptions) {
    super({
      segmentEvents: Math.max(1, Math.min(SEGMENT_EVENTS, Math.floor(maxEvents / SEGMENTS_AT_LEAST))),
      segmentBytes: maxBytes / SEGMENTS_AT_LEAST,
    });
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
    this.#log = log;
    log?.replay((batch) => this.#insert(batch));
    this.evicted = 0;
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
    const before = this.evicted;
    if (this.#fitsSome(batch)) this.#log?.append(batch);
    this.#insert(batch);
    if (this.evicted > before) this.#forgetBefore(this.oldest!);
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
    for (const segment of this.within(from, to)) {
      const { events } = segment;
      const start = events.placeFrom(from, segment.start);
      const end = segment.lastTimestamp <= to ? events.length : events.placeFrom(to + 1);
      if (start < end) ranges.push({ events, start, end });
    }
    return ranges;
  }

  /** Drops events before `oldest`, epoch milliseconds, then the oldest until `maxBytes` is met. */
  retain(oldest: number, maxBytes: number): void {
    const before = this.count;
    while ((this.oldest ?? oldest) < oldest) this.dropFirst();
    while (this.bytes > maxBytes && this.count > 1) this.dropFirst();
    if (this.count === before) return;
    this.evicted += before - this.count;
    this.version++;
    this.#forgetBefore(this.oldest ?? oldest);
  }

  /** Deletes events by `@id`, also evicted ones on disk. @throws DiskError if that fails; then none is deleted. */
  remove(ids: ReadonlySet<string>): void {
    this.#log?.replaceAll(this.#batches(ids));
    this.removeFromMemory(ids);
    if (this.count === 0) this.evictedUntil = Number.NEGATIVE_INFINITY;
    this.removals++;
    this.version++;
  }

  /** Closes files until the next append. */
  rest(): void {
    this.#log?.rest();
  }

  close(): void {
    this.#log?.close();
  }

  #forgetBefore(oldest: number): void {
    this.#log?.dropBefore(oldest, () => this.#batches());
  }

  /** All events but those with the IDs, in batches of moderate size. */
  *#batches(removed?: ReadonlySet<string>): Generator<EventBatch> {
    for (const { events, start, end } of this.snapshot(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)) {
      const rows = Array.from({ length: end - start }, (_, index) => events.row(start + index));
      yield new RowBatch(removed === undefined ? rows : rows.filter((row) => !removed.has(row['@id']!)));
    }
  }

  #fitsSome(batch: EventBatch): boolean {
    for (let index = 0; index < batch.length; index++) {
      if (batch.timestampAt(index) >= this.evictedUntil) return true;
    }
    return false;
  }

  /** The order of arrival does not matter, so the next process keeps the same events, which it reads from the disk. */
  #insert(batch: EventBatch): void {
    this.version++;
    this.evicted += batch.length - this.addFrom(batch, this.evictedUntil);
    while ((this.count > this.#maxEvents || this.bytes > this.#maxBytes) && this.count > 1) {
      this.evictedUntil = this.dropFirst();
      this.evicted++;
    }
  }
}
