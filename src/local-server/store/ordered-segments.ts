import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import { Segment, timeOrder } from './segment.ts';

export interface OrderedSegmentsOptions {
  /** Number of events per segment when filled in order; other segments have up to twice as many. */
  readonly segmentEvents: number;
  /** Maximum size of a segment when filled in order, without its last event. */
  readonly segmentBytes: number;
}

export interface Dropped {
  readonly count: number;
  readonly weight: number;
}

/** Consecutive segments, ordered by time, that don't overlap. */
export class OrderedSegments {
  readonly #segments: Segment[] = [];
  readonly #remains = new BatchRemains();
  readonly #options: OrderedSegmentsOptions;

  constructor(options: OrderedSegmentsOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#segments.length;
  }

  /** Time of the oldest event; `undefined` if there is none. */
  get firstTimestamp(): number | undefined {
    return this.#segments[0]?.firstTimestamp;
  }

  add(batch: EventBatch): void {
    this.#remains.add(batch);
    const order = timeOrder(batch.length, (index) => batch.timestampAt(index));
    // Late events are rare. They are older than the newest event, so they sort first.
    const newest = this.#segments.at(-1)?.lastTimestamp ?? Number.NEGATIVE_INFINITY;
    let next = 0;
    while (next < order.length && batch.timestampAt(order[next]!) < newest) {
      next = this.#addLate(batch, order, { next, newest });
    }
    for (; next < order.length; next++) this.#lastWithRoom().push(batch, order[next]!);
  }

  /** The segments with events from `from` to `to`, inclusive, with late events merged. */
  within(from: number, to: number): Segment[] {
    const isIn = (segment: Segment): boolean => segment.lastTimestamp >= from && segment.firstTimestamp <= to;
    for (let number = this.#segments.length - 1; number >= 0; number--) {
      if (isIn(this.#segments[number]!)) this.#settle(number);
    }
    return this.#segments.filter(isIn);
  }

  /** Drops the oldest segment, which must exist. */
  dropFirst(): Dropped {
    // Merging late events may split it, so less is dropped.
    this.#settle(0);
    const { events, length, weight } = this.#segments.shift()!;
    this.#forget(events, length);
    return { count: length, weight };
  }

  /** Drops the oldest segment, or only its events before `oldest` if others follow. */
  dropSome(oldest: number): Dropped {
    if (this.#segments[0]!.lastTimestamp < oldest) return this.dropFirst();
    this.#settle(0);
    const first = this.#segments[0]!;
    if (first.lastTimestamp < oldest) return this.dropFirst();
    const { events } = first;
    const dropped = first.dropBefore(oldest);
    this.#forget(events, dropped.count);
    return dropped;
  }

  /** Counts the first events of a list as dropped. */
  #forget(events: EventList, count: number): void {
    for (let place = 0; place < count; place++) this.#remains.drop(events.batchAt(place));
    if (!this.#remains.areSparse) return;
    const sparse = this.#remains.takeSparse();
    for (let number = this.#segments.length - 1; number >= 0; number--) this.#settle(number);
    for (const segment of this.#segments) this.#remains.add(segment.copyOut(sparse));
  }

  /** Adds the late events from index `next` that belong to one segment; returns the index of the next one. */
  #addLate(
    batch: EventBatch,
    order: readonly number[],
    { next, newest }: { readonly next: number; readonly newest: number },
  ): number {
    const number = this.#segmentFor(batch.timestampAt(order[next]!));
    const segment = this.#segments[number]!;
    // The events are sorted, and the next segment starts at `bound`: none of these belongs after it.
    const bound = this.#segments[number + 1]?.firstTimestamp ?? newest;
    let end = next;
    do segment.pushLate(batch, order[end++]!);
    while (end < order.length && batch.timestampAt(order[end]!) < bound);
    if (segment.waiting > 2 * this.#options.segmentEvents) this.#settle(number);
    return end;
  }

  /** Merges the late events of a segment, which copies it once for all of them. */
  #settle(number: number): void {
    const segment = this.#segments[number]!;
    if (segment.waiting === 0) return;
    segment.settle();
    if (segment.length > 2 * this.#options.segmentEvents) {
      this.#segments.splice(number, 1, ...segment.split(this.#options.segmentEvents));
    }
  }

  /** The last segment that starts at or before `timestamp`, or the first one. */
  #segmentFor(timestamp: number): number {
    const after = this.#segments.findIndex((segment) => segment.firstTimestamp > timestamp);
    return after === -1 ? this.#segments.length - 1 : Math.max(0, after - 1);
  }

  #lastWithRoom(): Segment {
    const { segmentEvents, segmentBytes } = this.#options;
    const last = this.#segments.at(-1);
    if (last !== undefined && last.length < segmentEvents && last.weight < segmentBytes) return last;
    const segment = new Segment();
    this.#segments.push(segment);
    return segment;
  }
}

/** Batches are copied once this many times as many events are dropped as remain. */
const MAX_GONE_SHARE = 2;

/**
 * Counts the remaining events per batch. A batch stays in memory until its last event is dropped: if a clock runs
 * ahead, every batch could have one event that is dropped last.
 */
export class BatchRemains {
  /** Batches with remaining events. */
  readonly #batches = new Map<EventBatch, Remains>();
  #left = 0;
  #gone = 0;

  /** Whether enough events are dropped to call {@link takeSparse}. */
  get areSparse(): boolean {
    return this.#gone > MAX_GONE_SHARE * this.#left;
  }

  add(batch: EventBatch): void {
    if (batch.length === 0) return;
    this.#left += batch.length;
    const known = this.#batches.get(batch);
    if (known === undefined) this.#batches.set(batch, { left: batch.length, gone: 0 });
    else known.left += batch.length;
  }

  /** Counts an event of the batch as dropped. */
  drop(batch: EventBatch): void {
    const remains = this.#batches.get(batch)!;
    remains.left--;
    remains.gone++;
    this.#left--;
    this.#gone++;
    if (remains.left === 0) this.#remove(batch, remains);
  }

  /** Batches with less than half of their events left, no longer counted: copy these events. */
  takeSparse(): Set<EventBatch> {
    const sparse = new Set<EventBatch>();
    for (const [batch, remains] of this.#batches) {
      if (remains.gone <= remains.left) continue;
      sparse.add(batch);
      this.#remove(batch, remains);
    }
    return sparse;
  }

  #remove(batch: EventBatch, { left, gone }: Remains): void {
    this.#batches.delete(batch);
    this.#left -= left;
    this.#gone -= gone;
  }
}

interface Remains {
  left: number;
  gone: number;
}
