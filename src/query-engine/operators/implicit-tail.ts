import { NewestRows } from './newest-rows.ts';
import type { AggregateStep } from './operator.ts';

const LIMIT = 200;

/** What a query without an aggregate ends in: its 200 newest events, the newest first. */
export const implicitTail: AggregateStep = {
  columns: (before) => before,
  open() {
    const newest = new NewestRows(LIMIT);
    return {
      from: (table) => newest.from(table),
      rows: () => newest.newestFirst(),
      get extraData() {
        return { hasMoreEvents: String(newest.seen > LIMIT) };
      },
    };
  },
};
