import type { EventBatch } from './event-batch.ts';
import { Segment, timeOrder } from './segment.ts';

export interface OrderedSegmentsOptions {
  /** Number of events per segment when filled in order; other segments have up to twice as many. */
  readonly segmentEvents: number;
  /** Maximum size of a segment when filled in order, without its last event. */
  readonly segmentBytes: number;
}

/** Batches are copied once they have dropped more than this many times the events that they keep. */
const MAX_DROPPED_SHARE = 2;

/** Consecutive segments, ordered by time, that don't overlap. */
export class OrderedSegments {
  #segments: Segment[] = [];
  count = 0;
  /** Size of all events. */
  bytes = 0;
  /** Events dropped since {@link #copySparse}. */
  #dropped = 0;
  readonly #options: OrderedSegmentsOptions;

  constructor(options: OrderedSegmentsOptions) {
    this.#options = options;
  }

  /** Time of the oldest event, epoch milliseconds; `undefined` if there is none. */
  get oldest(): number | undefined {
    return this.#segments[0]?.firstTimestamp;
  }

  /** Adds the events from `oldest` on. @returns their number */
  protected addFrom(batch: EventBatch, oldest: number): number {
    const order = timeOrder(batch.length, (index) => batch.timestampAt(index));
    // Late events are rare. They are older than the newest event, so they sort first.
    const newest = this.#segments.at(-1)?.lastTimestamp ?? Number.NEGATIVE_INFINITY;
    let next = 0;
    while (next < order.length && batch.timestampAt(order[next]!) < oldest) next++;
    const added = order.length - next;
    this.count += added;
    while (next < order.length && batch.timestampAt(order[next]!) < newest) {
      next = this.#addLate(batch, order, { next, newest });
    }
    for (; next < order.length; next++) this.bytes += this.#lastWithRoom().push(batch, order[next]!);
    return added;
  }

  /** The segments with events from `from` up to and including `to`. */
  protected within(from: number, to: number): Segment[] {
    return this.#segments.filter((segment) => segment.lastTimestamp >= from && segment.firstTimestamp <= to);
  }

  /** Drops the oldest event, which must exist. @returns its time */
  protected dropFirst(): number {
    const [first] = this.#segments as [Segment];
    const time = first.firstTimestamp;
    this.bytes -= first.dropFirst();
    this.count--;
    this.#dropped++;
    if (first.length === 0) this.#segments.shift();
    if (this.#dropped > MAX_DROPPED_SHARE * this.count) this.#copySparse();
    return time;
  }

  /** Removes events by their IDs, and the text of their requests. */
  protected removeFromMemory(ids: ReadonlySet<string>): void {
    const sources = new Set<EventBatch>();
    for (const { events, start } of this.#segments) {
      const column = events.column('@id');
      for (let place = start; place < events.length; place++) {
        if (ids.has(column.at(place)!)) sources.add(events.batchAt(place));
      }
    }
    for (const segment of this.#segments) segment.copyOut(sources, ids);
    this.#segments = this.#segments.filter(({ length }) => length > 0);
    this.count = this.#segments.reduce((sum, { length }) => sum + length, 0);
    this.bytes = this.#segments.reduce((sum, { weight }) => sum + weight, 0);
  }

  /**
   * Copies what is left of batches if that is less than half. A batch stays in memory until its last event is
   * dropped: if a clock runs ahead, every batch could have one event that is dropped last.
   */
  #copySparse(): void {
    this.#dropped = 0;
    const left = new Map<EventBatch, number>();
    for (const { events, start } of this.#segments) {
      for (let place = start; place < events.length; place++) {
        const batch = events.batchAt(place);
        left.set(batch, (left.get(batch) ?? 0) + 1);
      }
    }
    const sparse = new Set([...left.keys()].filter((batch) => 2 * left.get(batch)! < batch.length));
    if (sparse.size > 0) for (const segment of this.#segments) segment.copyOut(sparse);
  }

  /** Adds the late events from index `next` that belong to one segment; returns the index of the next one. */
  #addLate(
    batch: EventBatch,
    order: readonly number[],
    { next, newest }: { readonly next: number; readonly newest: number },
  ): number {
    const number = this.#segmentFor(batch.timestampAt(order[next]!));
    // The events are sorted, and the next segment starts at `bound`: none of these belongs after it.
    const bound = this.#segments[number + 1]?.firstTimestamp ?? newest;
    let end = next + 1;
    while (end < order.length && batch.timestampAt(order[end]!) < bound) end++;
    const { segmentEvents } = this.#options;
    // The parts of a file, of which the newest is read first, don't overlap.
    const isBefore = batch.timestampAt(order[end - 1]!) < this.#segments[number]!.firstTimestamp;
    if (isBefore && end - next >= segmentEvents) {
      for (let start = next, place = number; start < end; start += segmentEvents, place++) {
        const part = new Segment();
        this.bytes += part.insert(batch, order.slice(start, Math.min(start + segmentEvents, end)));
        this.#segments.splice(place, 0, part);
      }
      return end;
    }
    const segment = this.#segments[number]!;
    this.bytes += segment.insert(batch, order.slice(next, end));
    if (segment.length > 2 * segmentEvents) this.#segments.splice(number, 1, ...segment.split(segmentEvents));
    return end;
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
