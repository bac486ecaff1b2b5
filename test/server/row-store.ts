import { type EventRange, EventStore } from '../../src/server/store/event-store.ts';
import { RowBatch } from '../../src/server/store/row-batch.ts';
import type { StoredEvent } from '../../src/server/store/stored-event.ts';

/** A store that accepts rows. */
export class RowStore extends EventStore {
  add(rows: readonly StoredEvent[]): void {
    this.append(new RowBatch(rows));
  }
}

/** The events of a snapshot. */
export function rowsIn(ranges: readonly EventRange[]): StoredEvent[] {
  return ranges.flatMap(({ events, start, end }) =>
    Array.from({ length: end - start }, (_, index) => events.row(start + index)),
  );
}
