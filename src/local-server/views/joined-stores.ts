import type { EventReader } from '../search-domain.ts';
import type { Stretch } from '../store/event-store.ts';
import { type StoredEvent, timestampOf } from '../store/stored-event.ts';

/** Several stores that are read as one: their events in the order of time. */
export class JoinedStores implements EventReader {
  readonly #stores: () => readonly EventReader[];

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

  snapshot(from: number, to: number): Stretch[] {
    const snapshots = this.#stores().map((store) => store.snapshot(from, to));
    return snapshots.filter((stretches) => stretches.length > 0).length > 1
      ? inOrder(snapshots.flat())
      : snapshots.flat();
  }

  onAppend(listener: (events: readonly StoredEvent[]) => void): () => void {
    const ends = this.#stores().map((store) => store.onAppend(listener));
    return () => {
      for (const end of ends) end();
    };
  }

  #sum(amountOf: (store: EventReader) => number): number {
    return this.#stores().reduce((sum, store) => sum + amountOf(store), 0);
  }
}

/** Stretches follow one another in time; those that overlap become one. */
function inOrder(stretches: readonly Stretch[]): Stretch[] {
  const sorted = stretches.toSorted((left, right) => firstTime(left) - firstTime(right));
  const groups: { stretches: Stretch[]; last: number }[] = [];
  for (const stretch of sorted) {
    const group = groups.at(-1);
    if (group === undefined || firstTime(stretch) >= group.last) {
      groups.push({ stretches: [stretch], last: lastTime(stretch) });
    } else {
      group.stretches.push(stretch);
      group.last = Math.max(group.last, lastTime(stretch));
    }
  }
  return groups.map((group) =>
    group.stretches.length === 1 ? group.stretches[0]! : merged(group.stretches),
  );
}

function merged(stretches: readonly Stretch[]): Stretch {
  const timed = stretches.flatMap(({ events, start, end }) =>
    events.slice(start, end).map((event) => ({ event, time: timestampOf(event) })),
  );
  // The runs are in order: the sort finds that, and merges them.
  timed.sort((left, right) => left.time - right.time);
  return { events: timed.map(({ event }) => event), start: 0, end: timed.length };
}

function firstTime({ events, start }: Stretch): number {
  return timestampOf(events[start]!);
}

function lastTime({ events, end }: Stretch): number {
  return timestampOf(events[end - 1]!);
}
