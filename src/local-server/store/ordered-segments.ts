import type { EventBatch } from './event-batch.ts';
import type { EventList } from './event-list.ts';
import { Segment, timeOrder } from './segment.ts';

export interface OrderedSegmentsOptions {
  /** How many events a segment has that is filled in order; others have up to twice as many. */
  readonly segmentEvents: number;
  /** What a segment weighs at most that is filled in order, but for its last event. */
  readonly segmentBytes: number;
}

export interface Dropped {
  readonly count: number;
  readonly weight: number;
}

/** Events in segments that follow one another in time without meeting. */
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

  /** The time of the oldest event; `undefined` when there is none. */
  get firstTimestamp(): number | undefined {
    return this.#segments[0]?.firstTimestamp;
  }

  add(batch: EventBatch): void {
    this.#remains.add(batch);
    const order = timeOrder(batch.length, (index) => batch.timestampAt(index));
    // Nearly always nothing is late. What is late is older than the newest event, so that it comes first.
    const newest = this.#segments.at(-1)?.lastTimestamp ?? Number.NEGATIVE_INFINITY;
    let next = 0;
    while (next < order.length && batch.timestampAt(order[next]!) < newest) {
      next = this.#addLate(batch, order, { next, newest });
    }
    for (; next < order.length; next++) this.#lastWithRoom().push(batch, order[next]!);
  }

  /** The segments with events from `from` up to and including `to`, all of them in their places. */
  within(from: number, to: number): Segment[] {
    const isIn = (segment: Segment): boolean => segment.lastTimestamp >= from && segment.firstTimestamp <= to;
    for (let number = this.#segments.length - 1; number >= 0; number--) {
      if (isIn(this.#segments[number]!)) this.#settle(number);
    }
    return this.#segments.filter(isIn);
  }

  /** Drops the oldest segment. There has to be one. */
  dropFirst(): Dropped {
    // With those that wait, it may be a large one: no more shall go than have to.
    this.#settle(0);
    const { events, length, weight } = this.#segments.shift()!;
    this.#forget(events, length);
    return { count: length, weight };
  }

  /** Drops the oldest segment, or those of its events before `oldest` if others follow. It has to have some. */
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

  /** The first events of a list have gone. */
  #forget(events: EventList, count: number): void {
    for (let place = 0; place < count; place++) this.#remains.drop(events.batchAt(place));
    if (!this.#remains.areSparse) return;
    const sparse = this.#remains.takeSparse();
    for (let number = this.#segments.length - 1; number >= 0; number--) this.#settle(number);
    for (const segment of this.#segments) this.#remains.add(segment.copyOut(sparse));
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
    if (segment.waiting > 2 * this.#options.segmentEvents) this.#settle(number);
    return end;
  }

  /** Puts the late events of a segment in their places: that makes it anew once, however many they are. */
  #settle(number: number): void {
    const segment = this.#segments[number]!;
    if (segment.waiting === 0) return;
    segment.settle();
    if (segment.length > 2 * this.#options.segmentEvents) {
      this.#segments.splice(number, 1, ...segment.split(this.#options.segmentEvents));
    }
  }

  /** The last segment that begins at or before `timestamp`, else the first one. */
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

/** Events that have gone may be so many times those that are left, before batches are let go of. */
const MAX_GONE_SHARE = 2;

/**
 * How much is left of each batch. A batch is in memory as a whole until the last of its events has gone: where each has
 * an event of a clock that runs ahead, which is the last to go, that would be without a bound.
 */
export class BatchRemains {
  /** The batches with anything left. */
  readonly #batches = new Map<EventBatch, Remains>();
  #left = 0;
  #gone = 0;

  /** Whether so much has gone of the batches that it is time for {@link takeSparse}. */
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

  /** An event of the batch has gone. */
  drop(batch: EventBatch): void {
    const remains = this.#batches.get(batch)!;
    remains.left--;
    remains.gone++;
    this.#left--;
    this.#gone++;
    if (remains.left === 0) this.#remove(batch, remains);
  }

  /** The batches of which less than half is left. They are no longer counted: what is left of them is to be copied. */
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
