import type { EventReader } from '../search-domain.ts';
import type { EventBatch } from '../store/event-batch.ts';
import { EventList } from '../store/event-list.ts';
import type { EventRange } from '../store/event-store.ts';

/** Several stores that are read as one, ordered by time. */
export class JoinedStores implements EventReader {
  readonly #stores: () => readonly EventReader[];
  /** The previous result by start time: a live query reads nearly the same ranges repeatedly. */
  #pieces = new Map<number, MergedRange>();

  /** @param stores returns the current stores. */
  constructor(stores: () => readonly EventReader[]) {
    this.#stores = stores;
  }

  get count(): number {
    return this.#sum(({ count }) => count);
  }

  get bytes(): number {
    return this.#sum(({ bytes }) => bytes);
  }

  get version(): number {
    return this.#sum(({ version }) => version);
  }

  get removals(): number {
    return this.#sum(({ removals }) => removals);
  }

  snapshot(from: number, to: number): EventRange[] {
    const snapshots = this.#stores()
      .map((store) => store.snapshot(from, to))
      .filter((ranges) => ranges.length > 0);
    return snapshots.length > 1 ? this.#merged(snapshots.flat()) : snapshots.flat();
  }

  completeUntil(now: number): number {
    return Math.min(now - 1, ...this.#stores().map((store) => store.completeUntil(now)));
  }

  get evictedUntil(): number {
    return Math.max(...this.#stores().map((store) => store.evictedUntil));
  }

  onAppend(listener: (batch: EventBatch) => void): () => void {
    const ends = this.#stores().map((store) => store.onAppend(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  #merged(ranges: readonly EventRange[]): EventRange[] {
    const known = this.#pieces;
    this.#pieces = new Map();
    const merged: EventRange[] = [];
    for (const { from, parts } of piecesOf(ranges)) {
      if (parts.length === 1) {
        merged.push(parts[0]!);
        continue;
      }
      const before = known.get(from);
      const piece = before?.isOf(parts) ? before : new MergedRange(parts);
      this.#pieces.set(from, piece);
      merged.push(piece);
    }
    return merged;
  }

  #sum(amountOf: (store: EventReader) => number): number {
    return this.#stores().reduce((sum, store) => sum + amountOf(store), 0);
  }
}

/** Splits the ranges where one of them starts; returns the pieces of each time together, oldest first. */
function* piecesOf(ranges: readonly EventRange[]): Generator<{ from: number; parts: EventRange[] }> {
  const bounds = [...new Set(ranges.map((range) => range.events.timeAt(range.start)))].sort((a, b) => a - b);
  let open = ranges;
  for (const [index, from] of bounds.entries()) {
    const to = bounds[index + 1] ?? Number.POSITIVE_INFINITY;
    const rest: EventRange[] = [];
    const parts: EventRange[] = [];
    for (const range of open) {
      // Most ranges end before or start after the bound; only one that contains it is searched.
      const cut =
        range.events.timeAt(range.start) >= to
          ? range.start
          : range.events.placeFrom(to, range.start, range.end);
      if (cut > range.start) parts.push({ ...range, end: cut });
      if (cut < range.end) rest.push({ ...range, start: cut });
    }
    yield { from, parts };
    open = rest;
  }
}

/** Ranges of several stores merged by time, lazily. */
export class MergedRange implements EventRange {
  readonly start = 0;
  readonly end: number;
  /** Ranges of the same store are consecutive. */
  readonly #parts: readonly EventRange[];
  #events: EventList | undefined;

  constructor(parts: readonly EventRange[]) {
    this.#parts = parts;
    this.end = parts.reduce((sum, { start, end }) => sum + end - start, 0);
  }

  get events(): EventList {
    this.#events ??= merged(this.#parts);
    return this.#events;
  }

  /** Whether it has the same events: a list in a store only changes by growing at its end. */
  isOf(parts: readonly EventRange[]): boolean {
    return (
      parts.length === this.#parts.length &&
      parts.every(({ events, start, end }, index) => {
        const own = this.#parts[index]!;
        return own.events === events && own.start === start && own.end === end;
      })
    );
  }
}

/** Events with the same time are in the order of the parts. */
function merged(parts: readonly EventRange[]): EventList {
  const events = new EventList();
  const cursors = parts.map((part) => ({
    part,
    index: part.start,
    time: part.events.timeAt(part.start),
  }));
  while (cursors.length > 0) {
    let first = cursors[0]!;
    for (const cursor of cursors) if (cursor.time < first.time) first = cursor;
    events.append(first.part.events, first.index, first.index + 1);
    first.index++;
    if (first.index < first.part.end) first.time = first.part.events.timeAt(first.index);
    else cursors.splice(cursors.indexOf(first), 1);
  }
  return events;
}
