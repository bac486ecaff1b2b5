import type { EventReader } from '../search-domain.ts';
import type { EventBatch } from '../store/event-batch.ts';
import type { EventRange } from '../store/event-store.ts';
import { indexFrom, MergedRange, timeAt } from './merged-range.ts';

/** Several stores that are read as one: their events in the order of time. */
export class JoinedStores implements EventReader {
  readonly #stores: () => readonly EventReader[];
  /** Of the last look, by the time at which they begin: a live query looks at nearly the same ones again and again. */
  #pieces = new Map<number, MergedRange>();

  /** @param stores which ones they are at the moment. */
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

  snapshot(from: number, to: number): EventRange[] {
    const snapshots = this.#stores()
      .map((store) => store.snapshot(from, to))
      .filter((ranges) => ranges.length > 0);
    return snapshots.length > 1 ? this.#merged(snapshots.flat()) : snapshots.flat();
  }

  completeUntil(now: number): number {
    return Math.min(now - 1, ...this.#stores().map((store) => store.completeUntil(now)));
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

/** The ranges cut where one of them begins, and the pieces of each time together, the oldest first. */
function* piecesOf(ranges: readonly EventRange[]): Generator<{ from: number; parts: EventRange[] }> {
  const bounds = [...new Set(ranges.map((range) => timeAt(range, range.start)))].sort((a, b) => a - b);
  let open = ranges;
  for (const [index, from] of bounds.entries()) {
    const to = bounds[index + 1] ?? Number.POSITIVE_INFINITY;
    const rest: EventRange[] = [];
    const parts: EventRange[] = [];
    for (const range of open) {
      // Most of them lie before or behind: only what the bound goes through is searched for it.
      const cut = timeAt(range, range.start) >= to ? range.start : indexFrom(range, to);
      if (cut > range.start) parts.push({ ...range, end: cut });
      if (cut < range.end) rest.push({ ...range, start: cut });
    }
    yield { from, parts };
    open = rest;
  }
}
