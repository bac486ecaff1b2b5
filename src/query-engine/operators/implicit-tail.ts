import type { EventTable, TakeEvent } from '../columns/event-table.ts';
import type { Fields } from '../event.ts';
import { NewestRows } from './newest-rows.ts';
import type { Accumulator, AggregateStep } from './operator.ts';

const LIMIT = 200;

/** What a query without an aggregate ends in: its 200 newest events, the newest first. */
export const implicitTail: AggregateStep = {
  open: () => new ImplicitTail(),
  columns: (before) => before,
};

class ImplicitTail implements Accumulator {
  readonly #newest = new NewestRows(LIMIT);

  push(row: Fields): void {
    this.#newest.push(row);
  }

  from(table: EventTable): TakeEvent {
    return (index) => this.#newest.pushFrom(table, index);
  }

  rows(): readonly Fields[] {
    return this.#newest.newestFirst();
  }

  get extraData(): Readonly<Record<string, string>> {
    return { hasMoreEvents: String(this.#newest.seen > LIMIT) };
  }
}
